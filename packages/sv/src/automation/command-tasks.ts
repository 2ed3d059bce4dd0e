/**
 * Commands of parties that sign outside are counted, so that each is done once: a sender without a counter gets one, by
 * a quorum of the SVs, when the sender's first command is there.
 */
import { onDsoRules, TransferCommand, TransferCommandCounter } from "@callsign/ledger";
import { confirmOrExecute } from "./confirm-action.ts";
import type { Deciding } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** A sender has one counter, and usually one command at a time. */
const OF_SENDER = 100;

/** The key is that of the sender, so that what it finds may be of several. */
export function listCommandTasks(deciding: Deciding, key: bigint): readonly Task[] {
  const { facts } = deciding;
  const commands = facts.list(TransferCommand, key, OF_SENDER);
  const counters = facts.list(TransferCommandCounter, key, OF_SENDER);
  const counted = new Set(counters.map(({ payload }) => payload.sender));
  const senders = new Set(commands.map(({ payload }) => payload.sender));
  return [...senders.difference(counted)].flatMap((sender) => {
    const action = onDsoRules({ tag: "SRARC_CreateTransferCommandCounter", value: { sender } });
    return confirmOrExecute(deciding, "create-command-counters", action) ?? [];
  });
}
