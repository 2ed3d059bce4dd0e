/**
 * The ACS delta of a transaction for a set of parties: the creates and archivals that change their active contracts.
 * It is computed from the nodes alone, so that it checks the `acsDelta` flags of `projectLedgerEffects`.
 */
import type { CreateNode, ExerciseNode, Transaction } from "../src/engine/transaction.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";

export type AcsDeltaEvent = {
  readonly witnesses: readonly PartyId[];
  readonly acsDelta: true;
} & (
  | { readonly kind: "created"; readonly node: CreateNode }
  | { readonly kind: "archived"; readonly node: ExerciseNode }
);

export function projectAcsDelta(
  { nodes }: Transaction,
  parties: ReadonlySet<PartyId>,
): readonly AcsDeltaEvent[] {
  const created = new Set<ContractId>();
  const archived = new Set<ContractId>();
  for (const node of nodes) {
    if (node.kind === "create") created.add(node.contract.contractId);
    else if (node.consuming) archived.add(node.contractId);
  }
  return nodes.flatMap((node): readonly AcsDeltaEvent[] => {
    const witnesses = [...node.signatories, ...node.observers].filter((party) => parties.has(party));
    if (witnesses.length === 0) return [];
    if (node.kind === "create") {
      const isTransient = archived.has(node.contract.contractId);
      return isTransient ? [] : [{ kind: "created", node, witnesses, acsDelta: true }];
    }
    const changesActive = node.consuming && !created.has(node.contractId);
    return changesActive ? [{ kind: "archived", node, witnesses, acsDelta: true }] : [];
  });
}
