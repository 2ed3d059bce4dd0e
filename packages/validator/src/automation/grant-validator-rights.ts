/** Every party with a wallet here gives the validator the right to its validator rewards: one contract, made once. */
import { hash } from "node:crypto";
import { ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import { onePage } from "@callsign/node";
import { create } from "../ledger/commands.ts";
import { readParty } from "../ledger/read-party.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import { DueOwners } from "./changed-owners.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function grantValidatorRights(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, ledger, follower, operatorParty: validator, dso } = parts;
  const needsRight = async (owner: string) => {
    const ofParty = { owner, link: validator };
    if ((await store.list(WalletAppInstall, ofParty, 1)).length === 0) return false;
    return (await store.list(ValidatorRight, ofParty, 1)).length === 0;
  };
  const withoutRight = new DueOwners(() => reads.listWithoutRight(validator), needsRight);
  return {
    name: "grant-validator-rights",
    concerns: [WalletAppInstall, ValidatorRight],
    onChanged: (owners) => withoutRight.add(owners),
    listDue: onePage(async () => (await withoutRight.list()).map((party) => ({ task: party, owner: party }))),
    perform: async (party) => {
      const user = readParty(party);
      await ledger.requireCopy();
      const deduplicationOffset = follower.offset;
      // A right that was in flight before a restart must not be created a second time; one that has ended may be.
      const commandId = `right_${hash("sha256", ["2", validator, user].join("/"), "hex")}`;
      const grant = async () => {
        const rights = await store.list(ValidatorRight, { owner: user, link: validator }, 1);
        if (rights.length > 0) return "stale";
        return { commands: [create(ValidatorRight, { dso, user, validator })] };
      };
      return await outcomeOf(ledger.submitAs("both", user, grant, { commandId, deduplicationOffset }));
    },
  };
}
