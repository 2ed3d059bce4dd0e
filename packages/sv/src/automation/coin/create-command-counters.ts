/**
 * Commands of parties that sign outside are counted, so that each is done once: a sender without a counter gets one, by
 * a quorum of the SVs, when the sender's first command is there.
 */
import { onDsoRules, TransferCommand, TransferCommandCounter } from "@callsign/ledger";
import { textKey } from "../../kinds/keys.ts";
import { FEW } from "../../limits/limits.ts";
import { confirmOrExecute } from "../confirm-or-execute.ts";
import { defineAutomation } from "../dso-automation.ts";
import type { LedgerFacts } from "../ledger-facts.ts";

export const createCommandCounters = defineAutomation({
  name: "create-command-counters",
  subjects: ["commands"],
  /** Several senders may share the key. */
  decide: (deciding, { key }) => {
    const commands = deciding.facts.listBy(TransferCommand, "ownerKey", key, FEW);
    const senders = new Set(commands.map(({ payload }) => payload.sender));
    return [...senders.difference(listCounted(deciding.facts, key))].flatMap((sender) => {
      const action = onDsoRules({ tag: "SRARC_CreateTransferCommandCounter", value: { sender } });
      return confirmOrExecute(deciding, action);
    });
  },
  awaits: ({ facts, hash }, action) => {
    if (action.tag !== "ARC_DsoRules") return false;
    const { tag, value } = action.value.dsoAction;
    if (tag !== "SRARC_CreateTransferCommandCounter") return false;
    return !listCounted(facts, textKey(hash, value.sender)).has(value.sender);
  },
});

function listCounted(facts: LedgerFacts, key: bigint): ReadonlySet<string> {
  const counters = facts.listBy(TransferCommandCounter, "ownerKey", key, FEW);
  return new Set(counters.map(({ payload }) => payload.sender));
}
