/** The contract that lets the validator run a user's wallet: one for each user, created once. */
import { hash } from "node:crypto";
import { type PartyId, ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import { create } from "../ledger/commands.ts";
import { listActivePayloads } from "../ledger/list-active.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import { INSTALL_MILLISECONDS } from "../limits/limits.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletParts } from "../wallet/wallet-ledger.ts";
import type { WalletUser } from "./wallet-users.ts";

export interface InstallParts {
  readonly participant: ParticipantClient;
  readonly follower: LedgerFollower;
  readonly directory: WalletDirectory;
  readonly store: WalletParts["store"];
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
}

/**
 * A party's first wallet comes with the right to the party's rewards, in one transaction; `grant-validator-rights` mends what
 * is missing. Call for one user of a party at a time.
 */
export async function installWallet(parts: InstallParts, { userName, party }: WalletUser): Promise<void> {
  const { participant, follower, directory, store, operatorParty, dso } = parts;
  const deduplicationOffset = follower.offset;
  if ((await directory.findByUser(userName)) !== undefined) return;
  const payload = {
    dsoParty: dso,
    validatorParty: operatorParty,
    endUserName: userName,
    endUserParty: party,
  };
  const rights = await store.list(ValidatorRight, { owner: party, link: operatorParty }, 1);
  const right = create(ValidatorRight, { dso, user: party, validator: operatorParty });
  const submission = {
    actAs: [operatorParty, party],
    commands: [create(WalletAppInstall, payload), ...(rights.length === 0 ? [right] : [])],
    commandId: `install_${hash("sha256", ["2", operatorParty, party, userName].join("/"), "hex")}`,
    // An earlier wallet of the user may have ended.
    deduplicationOffset,
  };
  try {
    const { offset } = await participant.submit(submission);
    await follower.waitFor(offset, INSTALL_MILLISECONDS);
  } catch (error) {
    // It was created a moment ago, and the copy of the ledger does not show it yet.
    if (ledgerErrorOf(error)?.code !== "DUPLICATE_COMMAND") throw error;
    await follower.catchUp(INSTALL_MILLISECONDS);
  }
  if ((await directory.findByUser(userName)) === undefined) {
    throw new Error(`the wallet of ${userName} has been installed, but is not seen yet`);
  }
}

/** Parties that have a wallet here already, whether or not configuration still names their users. */
export async function listInstalledParties(
  participant: ParticipantClient,
  operatorParty: PartyId,
): Promise<readonly PartyId[]> {
  const parties = new Set<PartyId>();
  for await (const install of listActivePayloads(participant, operatorParty, WalletAppInstall))
    if (install.validatorParty === operatorParty) parties.add(install.endUserParty);
  return [...parties];
}
