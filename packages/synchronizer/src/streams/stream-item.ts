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
  projectLedgerEffects,
  type Transaction,
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
  /** Parties of the transaction that the member hosts. */
  readonly hosted: ReadonlySet<PartyId>;
}): { readonly body: string; readonly cause: string | null } | null {
  const { outcome, rehosted, member, hosted } = given;
  const completion = completionFor(outcome, member);
  const update = updateFor(outcome, hosted);
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

function updateFor({ verdict }: Outcome, hosted: ReadonlySet<PartyId>): StreamUpdate | null {
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  if (transaction === null) return null;
  const events = projectLedgerEffects(transaction, hosted);
  if (events.length === 0) return null;
  return {
    updateId: transaction.updateId,
    ledgerTime: `${transaction.ledgerTime}`,
    events: events.map(streamEvent),
  };
}

/** Parties of the outcome's transaction, by the members that host them. */
export function hostedParties({ verdict }: Outcome, state: SqliteState): Map<string, Set<PartyId>> {
  const hosted = new Map<string, Set<PartyId>>();
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  for (const party of transaction === null ? [] : listParties(transaction)) {
    for (const host of state.findHosting(party)?.hosts ?? []) {
      const parties = hosted.get(host);
      if (parties === undefined) hosted.set(host, new Set([party]));
      else parties.add(party);
    }
  }
  return hosted;
}

/** All stakeholders, controllers and choice observers of a transaction. */
function listParties({ nodes }: Transaction): ReadonlySet<PartyId> {
  const parties = new Set<PartyId>();
  for (const node of nodes) {
    for (const party of node.signatories) parties.add(party);
    for (const party of node.observers) parties.add(party);
    if (node.kind === "create") continue;
    for (const party of node.actingParties) parties.add(party);
    for (const party of node.choiceObservers) parties.add(party);
  }
  return parties;
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
