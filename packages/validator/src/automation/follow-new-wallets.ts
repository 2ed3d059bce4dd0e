/** Follows the parties whose wallets are installed while the validator runs, like those of the start. */
import { WalletAppInstall } from "@callsign/ledger";
import { DONE, onePage } from "@callsign/node";
import { readParty } from "../ledger/read-party.ts";
import { NEW_WALLET_RETRY } from "../limits/limits.ts";
import { grantActAs } from "../onboarding/wallet-users.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function followNewWallets(parts: AutomationParts): ValidatorAutomation {
  const { reads, follower, participant, operatorParty } = parts;
  return {
    name: "follow-new-wallets",
    concerns: [WalletAppInstall],
    listDue: onePage(async () => {
      const followed = new Set(follower.parties);
      const parties = await reads.listWalletParties(operatorParty);
      return parties.filter((party) => !followed.has(party)).map((party) => ({ task: party, owner: party }));
    }),
    retry: NEW_WALLET_RETRY,
    perform: async (task) => {
      const party = readParty(task);
      await grantActAs(participant, participant.userId, party);
      await follower.follow(party);
      return DONE;
    },
  };
}
