/**
 * A log entry as it concerns members with streams: kept once, with everything that their items need. The state may not have it
 * later: contracts are archived, and parties get other hosts.
 */
import type { StreamCompletion, StreamError, StreamEvent, StreamUpdate } from "@callsign/api";
import {
  listWitnesses,
  type Outcome,
  type PartyId,
  type ProjectedEvent,
  projectLedgerEffects,
} from "@callsign/ledger";

/** A party with its hosts, and its former hosts. */
export interface Rehosting {
  readonly party: string;
  readonly hosts: readonly string[];
  readonly former: readonly string[];
}

export interface StreamEntry {
  readonly recordTime: string;
  readonly completion: (StreamCompletion & { readonly member: string }) | null;
  /** The projection onto all parties that these members host. */
  readonly update: StreamUpdate | null;
  /** The witnesses of the update with the members that host them at this entry. */
  readonly hosts: readonly (readonly [party: string, members: readonly string[]])[];
  readonly rehosted: readonly Rehosting[];
}

/** The hosts that a replica's state has. SVs have no streams. */
export interface FoundHosts {
  readonly svs: readonly string[];
  /** Of the parties that see something of the transaction. */
  readonly hosts: readonly (readonly [party: PartyId, members: readonly string[]])[];
  readonly rehosted: readonly Rehosting[];
}

/** The parties that see something of the transaction. */
export function listSeeingParties({ verdict }: Outcome): readonly PartyId[] {
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  if (transaction === null) return [];
  return [...new Set(listWitnesses(transaction).flat())];
}

/** Null if the outcome concerns no member with a stream. */
export function streamEntryOf(outcome: Outcome, found: FoundHosts): StreamEntry | null {
  const svs = new Set(found.svs);
  const withStreams = (members: readonly string[]) => members.filter((member) => !svs.has(member));
  const hosts = found.hosts
    .map(([party, members]) => [party, withStreams(members)] as const)
    .filter(([, members]) => members.length > 0);
  const rehosted = found.rehosted
    .map((each) => ({ ...each, hosts: withStreams(each.hosts), former: withStreams(each.former) }))
    .filter((each) => each.hosts.length + each.former.length > 0);
  const completion = completionOf(outcome, svs);
  if (completion === null && hosts.length === 0 && rehosted.length === 0) return null;
  const update = updateOf(
    outcome,
    hosts.map(([party]) => party),
  );
  return { recordTime: `${outcome.head.recordTime}`, completion, update, hosts, rehosted };
}

function completionOf({ completion, verdict }: Outcome, svs: ReadonlySet<string>): StreamEntry["completion"] {
  if (completion === null || svs.has(completion.member)) return null;
  const { member, userId, commandId, submissionId, actAs } = completion;
  const updateId = verdict.kind === "accepted" ? (verdict.transaction?.updateId ?? null) : null;
  return { member, userId, commandId, submissionId, actAs, updateId, error: errorOf(verdict) };
}

/** The text of the error is in no digest: items have it apart. */
function errorOf(verdict: Outcome["verdict"]): StreamError | null {
  if (verdict.kind !== "rejected") return null;
  const { code, category, context, resources } = verdict.error;
  return { code, category, context, resources };
}

function updateOf({ verdict }: Outcome, parties: readonly PartyId[]): StreamUpdate | null {
  const transaction = verdict.kind === "accepted" ? verdict.transaction : null;
  if (transaction === null || parties.length === 0) return null;
  const { updateId, ledgerTime } = transaction;
  const events = projectLedgerEffects(transaction, new Set(parties)).map(streamEvent);
  return { updateId, ledgerTime: `${ledgerTime}`, events };
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
