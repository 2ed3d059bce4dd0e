/**
 * A transaction: a forest of creates and exercises, kept as a list in depth-first order. A node's
 * descendants are the nodes behind it up to `lastDescendant`. Fetches leave no node: they change nothing
 * and no party sees them.
 */
import type { AnyDamlType } from "../daml/daml-type.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import type { Contract } from "./contract.ts";

export interface CreateNode {
  readonly kind: "create";
  readonly nodeId: number;
  readonly contract: Contract;
  /** The decoded payload; a convenience that follows from the contract. */
  readonly value: unknown;
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
}

export interface ExerciseNode {
  readonly kind: "exercise";
  readonly nodeId: number;
  readonly lastDescendant: number;
  readonly contractId: ContractId;
  readonly templateId: string;
  readonly interfaceId: string | null;
  readonly choice: string;
  readonly consuming: boolean;
  readonly actingParties: readonly PartyId[];
  readonly choiceObservers: readonly PartyId[];
  readonly argument: TypedValue;
  readonly result: TypedValue;
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
}

export type TransactionNode = CreateNode | ExerciseNode;

export interface TypedValue {
  readonly type: AnyDamlType;
  readonly value: unknown;
  /** The value's canonical text. */
  readonly text: string;
}

export interface Transaction {
  readonly updateId: string;
  readonly ledgerTime: Time;
  readonly nodes: readonly TransactionNode[];
}

/** Contracts that outlive the transaction, in the order of their creation. */
export function listCreated({ nodes }: Transaction): readonly CreateNode[] {
  const consumed = new Set<ContractId>();
  for (const node of nodes) if (node.kind === "exercise" && node.consuming) consumed.add(node.contractId);
  return nodes.filter(
    (node): node is CreateNode => node.kind === "create" && !consumed.has(node.contract.contractId),
  );
}

/** Contracts that were active before the transaction and no longer are, in the order of their archival. */
export function listArchived({ nodes }: Transaction): readonly ExerciseNode[] {
  const created = new Set<ContractId>();
  for (const node of nodes) if (node.kind === "create") created.add(node.contract.contractId);
  return nodes.filter(
    (node): node is ExerciseNode =>
      node.kind === "exercise" && node.consuming && !created.has(node.contractId),
  );
}
