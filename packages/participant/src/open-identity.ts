/**
 * The participant's identity. Its store remembers the member whose stream it has: a store without its identity file, or
 * with another one, stops the start, because a new identity would have none of the parties that the store knows.
 */
import { join } from "node:path";
import {
  findMemberIdentity,
  type Host,
  loadMemberIdentity,
  type MemberIdentity,
  type Store,
} from "@callsign/node";
import { LedgerStore } from "./store/ledger-store.ts";
import { ParticipantSettings } from "./store/participant-settings.ts";

interface IdentityConfig {
  readonly dataFolder: string;
  readonly nodeIdentifier: string;
}

/** Makes an identity only for a store without a ledger. */
export async function openIdentity(
  { dataFolder, nodeIdentifier }: IdentityConfig,
  store: Store,
  host: Host,
): Promise<MemberIdentity> {
  const settings = new ParticipantSettings(store);
  const known = (await settings.find("member")) as { readonly id: string } | undefined;
  const found = findMemberIdentity(dataFolder, host);
  const file = join(dataFolder, "identity.json");
  if (found === null) await checkNoLedger(file, store, known?.id);
  else checkIdentity(file, found, { nodeIdentifier, known: known?.id });
  const identity = found ?? loadMemberIdentity(dataFolder, nodeIdentifier, host);
  if (known?.id !== identity.id) await settings.set("member", { id: identity.id });
  return identity;
}

async function checkNoLedger(file: string, store: Store, member: string | undefined): Promise<void> {
  const { position } = await new LedgerStore(store).open();
  if (position.offset === 0) return;
  throw new Error(
    `${file} is missing, and the store has the stream of ${member ?? "a participant"} up to offset ` +
      `${position.offset}: restore identity.json from a backup. Without it that participant's parties cannot be used; ` +
      "a new participant needs an empty data folder and an empty store",
  );
}

function checkIdentity(
  file: string,
  { id, nodeIdentifier: fixed }: MemberIdentity,
  { nodeIdentifier, known }: { readonly nodeIdentifier: string; readonly known: string | undefined },
): void {
  if (known !== undefined && known !== id)
    throw new Error(
      `${file} is the identity of ${id}, and the store is that of ${known}: restore the identity.json of ${known}, ` +
        "or give this participant a store of its own",
    );
  if (fixed !== nodeIdentifier)
    throw new Error(
      `nodeIdentifier is ${JSON.stringify(nodeIdentifier)}, and this participant was made as ${JSON.stringify(fixed)}: ` +
        `the identifier is fixed by the first start. Configure ${JSON.stringify(fixed)}, or take another data folder ` +
        "for a new participant",
    );
}
