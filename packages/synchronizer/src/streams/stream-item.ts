/**
 * One item of a member's stream: an outcome, projected onto the parties that the member hosts. Its text is the same on
 * every replica. The digest does not cover the text of an error, nor does the ledger's own digest.
 */
import type { StreamCompletion, StreamError, StreamEvent, StreamItem, StreamUpdate } from "@callsign/api";
import {
  type Hash,
  type Outcome,
  type PartyId,
  type ProjectedEvent,
  projectionBasisOf,
  projectNodes,
  type TransactionNode,
} from "@callsign/ledger";
import type { SqliteState } from "../replica/sqlite-state.ts";

/** A party with its hosts, and its former hosts. */
export interface Rehosting {
  readonly party: PartyId;
  readonly hosts: readonly string[];
  readonly former: readonly string[];
}

/** The item's JSON and, apart, the text of its error; null if the outcome does not concern the member. */
export function streamItemOf(given: {
  readonly outcome: Outcome;
  readonly rehosted: readonly Rehosting[];
  readonly member: string;
  readonly seen: SeenNodes | undefined;
}): { readonly body: string; readonly cause: string | null } | null {
  const { outcome, rehosted, member, seen } = given;
  const completion = completionFor(outcome, member);
  const update = seen === undefined ? null : updateFor(outcome, seen);
  const hostings = hostingsFor(rehosted, member);
  if (completion === null && update === null && hostings.length === 0) return null;
  const item: StreamItem = { recordTime: `${outcome.head.recordTime}`, completion, update, hostings };
  const isRejection = completion !== null && outcome.verdict.kind === "rejected";
  return { body: JSON.stringify(item), cause: isRejection ? outcome.verdict.error.cause : null };
}

export function chainStreamDigest(hash: Hash, previous: string, position: number, body: string): string {
  return hash(`${previous}\n${position}\n${body}`);
}

function completionFor({ completion, verdict }: Outcome, member: string): StreamCompletion | null {
  if (completion === null || completion.member !== member) return null;
  const { userId, commandId, submissionId, actAs } = completion;
  const updateId = verdict.kind === "accepted" ? (verdict.transaction?.updateId ?? null) : null;
  return { userId, commandId, submissionId, actAs, updateId, error: errorOf(verdict) };
}

function errorOf(verdict: Outcome["verdict"]): StreamError | null {
  if (verdict.kind !== "rejected") return null;
  const { code, category, context, resources } = verdict.error;
  return { code, category, context, resources };
}

function updateFor({ verdict }: Outcome, { nodes, basis, parties }: SeenNodes): StreamUpdate | null {
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  if (transaction === null) return null;
  const events = projectNodes(nodes, basis, parties);
  return {
    updateId: transaction.updateId,
    ledgerTime: `${transaction.ledgerTime}`,
    events: events.map(streamEvent),
  };
}

/** The nodes of a transaction that a member sees, and the parties it hosts among their witnesses. */
export interface SeenNodes {
  readonly nodes: TransactionNode[];
  readonly parties: Set<PartyId>;
  readonly basis: ReturnType<typeof projectionBasisOf>;
}

/** By member. One pass over the nodes for all of them: a part of an earlier state may concern thousands. */
export function listSeenNodes({ verdict }: Outcome, state: SqliteState): ReadonlyMap<string, SeenNodes> {
  const seen = new Map<string, SeenNodes>();
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  if (transaction === null) return seen;
  const basis = projectionBasisOf(transaction);
  for (const node of transaction.nodes) {
    for (const party of basis.witnesses[node.nodeId] ?? []) {
      for (const host of state.findHosting(party)?.hosts ?? []) {
        const known = seen.get(host) ?? { nodes: [], parties: new Set(), basis };
        if (known.parties.size === 0) seen.set(host, known);
        known.parties.add(party);
        if (known.nodes.at(-1) !== node) known.nodes.push(node);
      }
    }
  }
  return seen;
}

function streamEvent(event: ProjectedEvent): StreamEvent {
  const { node, witnesses, acsDelta } = event;
  const { nodeId, signatories, observers } = node;
  const shared = { nodeId, signatories, observers, witnesses, acsDelta };
  if (node.kind === "create") {
    const { contractId, templateId, payload, createdAt } = node.contract;
    return { kind: "created", ...shared, contractId, templateId, payload, createdAt: `${createdAt}` };
  }
  const { contractId, templateId, interfaceId, choice, consuming, actingParties, lastDescendant } = node;
  return {
    kind: "exercised",
    ...shared,
    contractId,
    templateId,
    lastDescendant,
    interfaceId,
    choice,
    consuming,
    actingParties,
    argument: node.argument.text,
    result: node.result.text,
  };
}

function hostingsFor(rehosted: readonly Rehosting[], member: string): StreamItem["hostings"] {
  return rehosted
    .filter(({ hosts, former }) => hosts.includes(member) || former.includes(member))
    .map(({ party, hosts }) => ({ party, hosted: hosts.includes(member) }));
}
