/**
 * An update as scan keeps it: a transaction as the DSO sees it. Values stand in their canonical texts, and everything that
 * follows from a contract, its signatories and observers among them, is left out.
 */
import {
  type ContractId,
  informees,
  type PartyId,
  type Time,
  type Transaction,
  type TransactionNode,
  timeFromMicros,
} from "@callsign/ledger";

export interface StoredCreate {
  readonly kind: "create";
  readonly nodeId: number;
  readonly templateId: string;
  readonly contractId: ContractId;
  /** Parsed from its canonical text. */
  readonly payload: unknown;
}

export interface StoredExercise {
  readonly kind: "exercise";
  readonly nodeId: number;
  readonly lastDescendant: number;
  readonly templateId: string;
  readonly contractId: ContractId;
  readonly interfaceId: string | null;
  readonly choice: string;
  readonly consuming: boolean;
  readonly actingParties: readonly string[];
  readonly argument: unknown;
  readonly result: unknown;
}

export type StoredEvent = StoredCreate | StoredExercise;

export interface StoredUpdate {
  readonly ledgerTime: Time;
  /** In the order of the transaction. */
  readonly events: readonly StoredEvent[];
}

/** With its place in the history. */
export interface KnownUpdate extends StoredUpdate {
  readonly updateId: string;
  readonly recordTime: Time;
}

/** Null if the DSO sees nothing of it. */
export function formatStoredUpdate(transaction: Transaction, dso: PartyId): string | null {
  const seen = listSeen(transaction, dso);
  if (seen.length === 0) return null;
  return `["${transaction.ledgerTime}",${seen.map(formatNode).join(",")}]`;
}

/** The projection onto one party: the nodes it is an informee of, with everything below them. */
function listSeen({ nodes }: Transaction, party: PartyId): readonly TransactionNode[] {
  let last = -1;
  return nodes.filter((node) => {
    if (node.nodeId <= last) return true;
    if (!informees(node).includes(party)) return false;
    if (node.kind === "exercise") last = node.lastDescendant;
    return true;
  });
}

/** Canonical texts are JSON, and ids hold no character that JSON escapes. */
function formatNode(node: TransactionNode): string {
  if (node.kind === "create") {
    const { contractId, templateId, payload } = node.contract;
    return `[${node.nodeId},"${templateId}","${contractId}",${payload}]`;
  }
  const { nodeId, lastDescendant, contractId, templateId, interfaceId, choice, consuming } = node;
  const parties = node.actingParties.map((party) => `"${party}"`).join(",");
  return (
    `[${nodeId},"${templateId}","${contractId}",${lastDescendant},` +
    `${interfaceId === null ? "null" : `"${interfaceId}"`},"${choice}",${consuming},[${parties}],` +
    `${node.argument.text},${node.result.text}]`
  );
}

type CreateFields = readonly [number, string, ContractId, unknown];
type ExerciseFields = readonly [
  ...[number, string, ContractId, number, string | null],
  ...[string, boolean, readonly string[], unknown, unknown],
];

export function parseStoredUpdate(text: string): StoredUpdate {
  const [time, ...events] = JSON.parse(text) as [string, ...(CreateFields | ExerciseFields)[]];
  return { ledgerTime: timeFromMicros(BigInt(time)), events: events.map(readEvent) };
}

function readEvent(fields: CreateFields | ExerciseFields): StoredEvent {
  const [nodeId, templateId, contractId] = fields;
  if (fields.length === 4) return { kind: "create", nodeId, templateId, contractId, payload: fields[3] };
  const [, , , lastDescendant, interfaceId, choice, consuming, actingParties, argument, result] = fields;
  return {
    ...{ kind: "exercise", nodeId, lastDescendant, templateId, contractId, interfaceId, choice, consuming },
    ...{ actingParties, argument, result },
  };
}
