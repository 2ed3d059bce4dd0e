/** Follows the parties whose wallets are installed while the validator runs, like those of the start. */
import { WalletAppInstall } from "@callsign/ledger";
import { DONE, onePage } from "@callsign/node";
import { readParty } from "../ledger/read-party.ts";
import { canActAs, grantRight } from "../ledger/user-rights.ts";
import { NEW_WALLET_RETRY } from "../limits/limits.ts";
import { DueOwners } from "./changed-owners.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function followNewWallets(parts: AutomationParts): ValidatorAutomation {
  const { reads, directory, follower, participant, operatorParty } = parts;
  const isNew = async (party: string) =>
    !follower.parties.has(party) && (await directory.findByParty(party)) !== undefined;
  const unfollowed = new DueOwners(() => reads.listWalletParties(operatorParty), isNew);
  return {
    name: "follow-new-wallets",
    concerns: [WalletAppInstall],
    onChanged: (owners) => unfollowed.add(owners),
    listDue: onePage(async () => {
      const parties = await unfollowed.list();
      // A party is followed before its contracts change again.
      return parties
        .filter((party) => !follower.parties.has(party))
        .map((party) => ({ task: party, owner: party }));
    }),
    retry: NEW_WALLET_RETRY,
    perform: async (task) => {
      const party = readParty(task);
      await grantRight(participant, participant.userId, canActAs(party));
      await follower.follow(party);
      return DONE;
    },
  };
}
