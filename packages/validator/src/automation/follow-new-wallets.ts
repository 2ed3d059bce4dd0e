/** Follows the parties whose wallets are installed while the validator runs, like those of the start. */
import { type PartyId, WalletAppInstall } from "@callsign/ledger";
import { DONE, onePage } from "@callsign/node";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { readParty } from "../ledger/read-party.ts";
import { NEW_WALLET_RETRY } from "../limits/limits.ts";
import { grantActAs } from "../onboarding/wallet-users.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export interface NewWalletParts {
  readonly reads: AutomationReads;
  readonly follower: LedgerFollower;
  readonly participant: ParticipantClient;
  readonly operatorParty: PartyId;
}

export function followNewWallets(parts: NewWalletParts): ValidatorAutomation {
  const { reads, follower, participant, operatorParty } = parts;
  return {
    name: "follow-new-wallets",
    concerns: [WalletAppInstall],
    listDue: onePage(async () => {
      const followed = new Set(follower.parties);
      const parties = await reads.listWalletParties(operatorParty);
      return parties.filter((party) => !followed.has(party)).map((party) => ({ task: party, owner: party }));
    }),
    nextDueAt: async () => null,
    retry: NEW_WALLET_RETRY,
    perform: async (task) => {
      const party = readParty(task);
      await grantActAs(participant, participant.userId, party);
      await follower.follow(party);
      return DONE;
    },
  };
}
