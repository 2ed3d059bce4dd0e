/**
 * The auditor's own account of the contracts: built from the nodes of accepted transactions alone, with the
 * stakeholders of the table, and never read from the replica it is compared with.
 */

import type { Contract } from "../../../packages/ledger/src/engine/contract.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type {
  ExerciseNode,
  Transaction,
  TransactionNode,
} from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Stakeholders, stakeholdersByTable } from "./stakeholder-table.ts";
import { hold } from "./violation.ts";

export interface KnownContract extends Stakeholders {
  readonly contract: Contract;
  readonly value: unknown;
}

export interface Found<T extends AnyTemplateDeclaration> {
  readonly contractId: ContractId;
  readonly payload: PayloadOf<T>;
}

export class Book {
  /** Contracts that are gone stay known: what a payment was is asked after it was collected. */
  readonly #ever = new Map<ContractId, KnownContract>();
  readonly #active = new Map<ContractId, KnownContract>();
  readonly #byTemplate = new Map<string, Map<ContractId, KnownContract>>();

  /** Learns of what a transaction creates, before it is checked. */
  learn({ nodes }: Transaction): void {
    for (const node of nodes) {
      if (node.kind !== "create") continue;
      const { contract, value } = node;
      hold("a contract id is used once", !this.#ever.has(contract.contractId), () => contract.contractId);
      this.#ever.set(contract.contractId, {
        contract,
        value,
        ...stakeholdersByTable(contract.templateId, value),
      });
    }
  }

  /** Takes in a contract that was there before the book was opened. */
  adopt(contract: Contract, value: unknown): void {
    this.#ever.set(contract.contractId, {
      contract,
      value,
      ...stakeholdersByTable(contract.templateId, value),
    });
    this.#set(contract.contractId);
  }

  /** Takes in what a transaction did, once it was checked. */
  apply({ nodes }: Transaction): void {
    for (const node of nodes) {
      if (node.kind === "create") this.#set(node.contract.contractId);
      else if (node.consuming) this.#delete(node.contractId);
    }
  }

  get active(): ReadonlyMap<ContractId, KnownContract> {
    return this.#active;
  }

  get(contractId: ContractId): KnownContract {
    const known = this.#ever.get(contractId);
    if (known === undefined) throw new Error(`the book knows no contract ${contractId}`);
    return known;
  }

  find(contractId: ContractId): KnownContract | undefined {
    return this.#ever.get(contractId);
  }

  /** The payload of a contract that is or was active. */
  payload<T extends AnyTemplateDeclaration>(template: T, contractId: ContractId): PayloadOf<T> {
    const { contract, value } = this.get(contractId);
    if (contract.templateId !== template.id) throw new Error(`${contractId} is no ${template.entity}`);
    return value as PayloadOf<T>;
  }

  /** The active contracts of a template that the party signs. */
  signedBy<T extends AnyTemplateDeclaration>(party: PartyId, template: T): readonly Found<T>[] {
    const found: Found<T>[] = [];
    for (const [contractId, { value, signatories }] of this.#byTemplate.get(template.id) ?? []) {
      if (signatories.has(party)) found.push({ contractId, payload: value as PayloadOf<T> });
    }
    return found;
  }

  #set(contractId: ContractId): void {
    const known = this.get(contractId);
    this.#active.set(contractId, known);
    const { templateId } = known.contract;
    const index = this.#byTemplate.get(templateId) ?? new Map<ContractId, KnownContract>();
    this.#byTemplate.set(templateId, index.set(contractId, known));
  }

  #delete(contractId: ContractId): void {
    this.#active.delete(contractId);
    this.#byTemplate.get(this.get(contractId).contract.templateId)?.delete(contractId);
  }
}

/** For each node the exercise it belongs to, or null for what the submission asked for itself. */
export function listParents({ nodes }: Transaction): readonly (ExerciseNode | null)[] {
  const parents: (ExerciseNode | null)[] = nodes.map(() => null);
  for (const node of nodes) {
    if (node.kind === "create") continue;
    // Inner exercises come later and overwrite what outer ones wrote.
    for (let child = node.nodeId + 1; child <= node.lastDescendant; child++) parents[child] = node;
  }
  return parents;
}

/** The nodes beneath an exercise, at any depth. */
export function listBeneath(
  { nodes }: Transaction,
  { nodeId, lastDescendant }: ExerciseNode,
): readonly TransactionNode[] {
  return nodes.slice(nodeId + 1, lastDescendant + 1);
}

/** The exercises of a choice, with its argument and result as the template declares them. */
export function listExercises(transaction: Transaction, choice: string): readonly ExerciseNode[] {
  return transaction.nodes
    .filter((node) => node.kind === "exercise")
    .filter((node) => node.choice === choice);
}
