/**
 * The projection of a transaction onto a set of parties: the ledger effects, each with a flag for the ACS delta.
 *
 * A party sees a node if it is an informee of it or of a node above it: the stakeholders of a create, and the
 * signatories, controllers and choice observers of an exercise, with the other stakeholders too if it archives.
 * The flag is set where the active contracts of one of the parties change.
 */
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { CreateNode, ExerciseNode, Transaction, TransactionNode } from "./transaction.ts";

export type ProjectedEvent =
  | {
      readonly kind: "created";
      readonly node: CreateNode;
      readonly witnesses: readonly PartyId[];
      readonly acsDelta: boolean;
    }
  | {
      readonly kind: "exercised";
      readonly node: ExerciseNode;
      readonly witnesses: readonly PartyId[];
      readonly acsDelta: boolean;
    };

/** The parties that see each node, by node id. */
export function listWitnesses({ nodes }: Transaction): readonly (readonly PartyId[])[] {
  const witnesses: (readonly PartyId[])[] = [];
  const open: ExerciseNode[] = [];
  for (const node of nodes) {
    while (open.length > 0 && (open.at(-1) as ExerciseNode).lastDescendant < node.nodeId) open.pop();
    const parent = open.at(-1);
    const inherited = parent === undefined ? [] : (witnesses[parent.nodeId] ?? []);
    witnesses.push([...new Set([...inherited, ...informees(node)])]);
    if (node.kind === "exercise") open.push(node);
  }
  return witnesses;
}

export function informees(node: TransactionNode): readonly PartyId[] {
  if (node.kind === "create") return [...node.signatories, ...node.observers];
  const { signatories, observers, actingParties, choiceObservers, consuming } = node;
  return consuming
    ? [...signatories, ...observers, ...actingParties, ...choiceObservers]
    : [...signatories, ...actingParties, ...choiceObservers];
}

export function projectLedgerEffects(
  transaction: Transaction,
  parties: ReadonlySet<PartyId>,
): readonly ProjectedEvent[] {
  const seenBy = listWitnesses(transaction);
  const transient = listTransient(transaction);
  const events: ProjectedEvent[] = [];
  for (const node of transaction.nodes) {
    const witnesses = (seenBy[node.nodeId] ?? []).filter((party) => parties.has(party));
    if (witnesses.length === 0) continue;
    const holds = [...node.signatories, ...node.observers].some((party) => parties.has(party));
    const acsDelta = holds && !transient.has(contractIdOf(node));
    if (node.kind === "create") events.push({ kind: "created", node, witnesses, acsDelta });
    else events.push({ kind: "exercised", node, witnesses, acsDelta: acsDelta && node.consuming });
  }
  return events;
}

/** Contracts created and archived in the same transaction: they change no party's active contracts. */
function listTransient({ nodes }: Transaction): ReadonlySet<ContractId> {
  const created = new Set<ContractId>();
  const transient = new Set<ContractId>();
  for (const node of nodes) {
    if (node.kind === "create") created.add(node.contract.contractId);
    else if (node.consuming && created.has(node.contractId)) transient.add(node.contractId);
  }
  return transient;
}

function contractIdOf(node: TransactionNode): ContractId {
  return node.kind === "create" ? node.contract.contractId : node.contractId;
}
