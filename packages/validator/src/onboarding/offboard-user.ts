/**
 * Ends a user's wallet. The user of the participant goes first: from then on its tokens are refused, and a call that was
 * cut off may be repeated until the contracts are gone too. The party, its coin and its names stay.
 */
import { ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { archive } from "../ledger/commands.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import type { OnboardingParts } from "./onboard-user.ts";
import type { WalletGrants } from "./wallet-grants.ts";

export interface OffboardingParts extends OnboardingParts {
  readonly ledger: WalletLedger;
  /** The users of the configuration: every start would bring them back. */
  readonly ownUsers: ReadonlySet<string>;
  readonly grants: WalletGrants;
}

/** Does nothing for a user without a wallet here. */
export function offboardUser(parts: OffboardingParts, userName: string): Promise<undefined> {
  const { participant, directory, ledger, ownUsers, userQueue, grants } = parts;
  return userQueue.run(userName, async () => {
    await ledger.requireCopy();
    const wallet = await directory.findByUser(userName);
    if (wallet === undefined) return undefined;
    if (ownUsers.has(userName)) {
      const text = `${userName} is a user of the validator itself: take it out of the configuration first.`;
      throw new ValidatorError({ kind: "invalid-request", text });
    }
    try {
      // The participant may have deleted the user although the call failed.
      await deleteUser(participant, userName).finally(() => grants.forget(userName));
      await endContracts(parts, wallet);
      return undefined;
    } catch (error) {
      throw toValidatorError(error);
    }
  });
}

async function deleteUser({ client }: ParticipantClient, userName: string): Promise<void> {
  await client.deleteUser({ params: { "user-id": userName } }).catch((error: unknown) => {
    if (ledgerErrorOf(error)?.code !== "USER_NOT_FOUND") throw error;
  });
}

async function endContracts(parts: OffboardingParts, { userName, party }: Wallet): Promise<void> {
  await parts.ledger.submitAs("both", party, async () => {
    const commands = await listEnds(parts, userName, party);
    return commands.length === 0 ? ("stale" as const) : { commands };
  });
}

/** The right to the party's rewards ends with the party's last user. */
async function listEnds({ store, operatorParty }: OffboardingParts, userName: string, owner: string) {
  const installs = await store.list(WalletAppInstall, { owner, link: operatorParty });
  const own = installs.filter(({ payload }) => payload.endUserName === userName);
  const isLast = own.length === installs.length;
  const rights = isLast ? await store.list(ValidatorRight, { owner, link: operatorParty }) : [];
  return [
    ...own.map(({ contractId }) => archive(WalletAppInstall, contractId)),
    ...rights.map(({ contractId }) => archive(ValidatorRight, contractId)),
  ];
}
