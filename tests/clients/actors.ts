/** People at a participant of the local network, each with the Canton Network's own ledger client. */
import type { LedgerClient } from "@canton-network/core-ledger-client";
import { fresh } from "../support/fresh.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import { ledgerClient, tokensOf } from "./real-clients.ts";

export const PREFERENCE = "#callsign-names:Callsign.Names:RenewalPreference";
const SOME_CONTRACT_ID = `00${"ab".repeat(32)}ca101220${"cd".repeat(32)}`;

export async function allocate(admin: LedgerClient, hint: string): Promise<string> {
  const { partyDetails } = await admin.post("/v2/parties", {
    partyIdHint: fresh(hint),
    identityProviderId: "",
    synchronizerId: "",
    userId: "",
  });
  return partyDetails?.party ?? "";
}

export interface Actor {
  readonly user: string;
  readonly party: string;
  readonly client: LedgerClient;
}

/** A user with a party of their own, made by the administrator. */
export async function newActor(world: LocalNetwork, name: string): Promise<Actor> {
  const { ledgerUrl } = world.net.nodes["app-user"];
  const admin = ledgerClient(ledgerUrl);
  const party = await allocate(admin, name);
  const user = fresh(name);
  await admin.createUser(user, party);
  await admin.grantRights(user, { actAs: [party] });
  return { user, party, client: ledgerClient(ledgerUrl, tokensOf(user)) };
}

export async function endOf(client: LedgerClient): Promise<number> {
  return (await client.get("/v2/state/ledger-end")).offset ?? 0;
}

export function everythingOf(party: string) {
  return { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
}

/** A contract that its subscriber alone signs. */
export function createPreference({ user, party }: Actor, commandId = fresh("create")) {
  const createArguments = {
    subscriber: party,
    walletProvider: party,
    reference: SOME_CONTRACT_ID,
    autoRenew: true,
  };
  return {
    commands: [{ CreateCommand: { templateId: PREFERENCE, createArguments } }],
    commandId,
    userId: user,
    actAs: [party],
  };
}
