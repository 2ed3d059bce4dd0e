/** Entries of names whose time is over. */
import { AnsEntry, isExpirable } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";

export const expireEntries = defineAutomation({
  name: "expire-entries",
  subjects: ["contract"],
  contracts: [AnsEntry],
  decide: ({ facts, rules, sv }, { key: created }) => {
    const row = facts.findRow(AnsEntry, created);
    const entry = row === null ? null : facts.read(AnsEntry, row);
    if (entry === null || !isExpirable({ expiresAt: entry.payload.expiresAt, now: facts.now })) return [];
    const argument = { ansEntryCid: entry.contractId, choiceArg: { actor: rules.dso } };
    const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireAnsEntry", argument);
    return [{ key: `expire ${entry.contractId}`, commands: [command], takes: 1 }];
  },
});
