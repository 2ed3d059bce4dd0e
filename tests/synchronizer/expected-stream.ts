/**
 * The expected stream of a member, worked out from the outcomes alone and node by node: who is told of a node,
 * whom that tells what happens below it, and which of these the member hosts at that moment.
 */

import type { StreamEvent, StreamItem } from "../../packages/api/src/sequencer/stream-item.ts";
import type {
  ExerciseNode,
  Transaction,
  TransactionNode,
} from "../../packages/ledger/src/engine/transaction.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";

export interface ExpectedItem {
  readonly item: StreamItem;
  readonly cause: string | null;
}

export function expectedStream(outcomes: readonly Outcome[], member: string): readonly ExpectedItem[] {
  const hostsOf = new Map<string, readonly string[]>();
  const items: ExpectedItem[] = [];
  for (const outcome of outcomes) {
    const hostings: { party: string; hosted: boolean }[] = [];
    for (const change of outcome.changes) {
      if (change.kind !== "hosting") continue;
      const { party, hosts } = change.hosting;
      const hosted = hosts.includes(member);
      if (hosted || hostsOf.get(party)?.includes(member)) hostings.push({ party, hosted });
      hostsOf.set(party, hosts);
    }
    const isHosted = (party: string) => hostsOf.get(party)?.includes(member) === true;
    const completion = expectedCompletion(outcome, member);
    const update = expectedUpdate(outcome, isHosted);
    if (completion === null && update === null && hostings.length === 0) continue;
    const { verdict, head } = outcome;
    const cause = completion !== null && verdict.kind === "rejected" ? verdict.error.cause : null;
    items.push({ item: { recordTime: `${head.recordTime}`, completion, update, hostings }, cause });
  }
  return items;
}

function expectedCompletion({ completion, verdict }: Outcome, member: string): StreamItem["completion"] {
  if (completion?.member !== member) return null;
  const { userId, commandId, submissionId, actAs } = completion;
  const told = { userId, commandId, submissionId, actAs };
  if (verdict.kind === "accepted")
    return { ...told, updateId: verdict.transaction?.updateId ?? null, error: null };
  if (verdict.kind === "ignored") throw new Error("what is ignored completes nothing");
  const { code, category, context, resources } = verdict.error;
  return { ...told, updateId: null, error: { code, category, context, resources } };
}

function expectedUpdate({ verdict }: Outcome, isHosted: (party: string) => boolean): StreamItem["update"] {
  if (verdict.kind !== "accepted" || verdict.transaction === null) return null;
  const { transaction } = verdict;
  const events = transaction.nodes.flatMap((node) => {
    const told = [node, ...ancestors(transaction, node)].flatMap(listTold);
    const witnesses = [...new Set(told)].filter(isHosted).sort();
    return witnesses.length === 0 ? [] : [expectedEvent(transaction, node, witnesses, isHosted)];
  });
  if (events.length === 0) return null;
  return { updateId: transaction.updateId, ledgerTime: `${transaction.ledgerTime}`, events };
}

function ancestors({ nodes }: Transaction, { nodeId }: TransactionNode): readonly ExerciseNode[] {
  return nodes
    .filter((node) => node.kind === "exercise")
    .filter((node) => node.nodeId < nodeId && nodeId <= node.lastDescendant);
}

/** An observer learns of a create and of the archival, but not of other exercises. */
function listTold(node: TransactionNode): readonly string[] {
  if (node.kind === "create") return [...node.signatories, ...node.observers];
  const observers = node.consuming ? node.observers : [];
  return [...node.signatories, ...observers, ...node.actingParties, ...node.choiceObservers];
}

function expectedEvent(
  { nodes }: Transaction,
  node: TransactionNode,
  witnesses: readonly string[],
  isHosted: (party: string) => boolean,
): StreamEvent {
  const contractId = node.kind === "create" ? node.contract.contractId : node.contractId;
  const isTransient =
    nodes.some((each) => each.kind === "create" && each.contract.contractId === contractId) &&
    nodes.some((each) => each.kind === "exercise" && each.consuming && each.contractId === contractId);
  const holds = [...node.signatories, ...node.observers].some(isHosted);
  const { nodeId, signatories, observers } = node;
  const shared = { nodeId, contractId, signatories, observers, witnesses };
  if (node.kind === "create") {
    const { templateId, payload, createdAt } = node.contract;
    return {
      ...shared,
      kind: "created",
      templateId,
      payload,
      createdAt: `${createdAt}`,
      acsDelta: holds && !isTransient,
    };
  }
  const { templateId, lastDescendant, interfaceId, choice, consuming, actingParties } = node;
  return {
    ...shared,
    kind: "exercised",
    templateId,
    lastDescendant,
    interfaceId,
    choice,
    consuming,
    actingParties,
    argument: node.argument.text,
    result: node.result.text,
    acsDelta: holds && !isTransient && consuming,
  };
}
