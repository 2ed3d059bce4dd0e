/** Entries of names whose time is over. */
import { AnsEntry, isExpirable } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";

export const expireEntries = defineAutomation({
  name: "expire-entries",
  subjects: ["contract"],
  contracts: [AnsEntry],
  decide: ({ facts, rules, task }, { key: created }) => {
    const row = facts.findRow(AnsEntry, created);
    const entry = row === null ? null : facts.read(AnsEntry, row);
    if (entry === null || !isExpirable({ expiresAt: entry.payload.expiresAt, now: facts.now })) return [];
    const argument = { ansEntryCid: entry.contractId, choiceArg: { actor: rules.dso } };
    return [task(`expire ${entry.contractId}`, "DsoRules_ExpireAnsEntry", argument)];
  },
});
