import type { ContractId, TransactionNode } from "@callsign/ledger";

type CreateNode = Extract<TransactionNode, { readonly kind: "create" }>;

/** The creation of a contract within a transaction. */
export function findCreated(
  nodes: readonly TransactionNode[],
  contractId: ContractId,
): CreateNode | undefined {
  return nodes.find(
    (node): node is CreateNode => node.kind === "create" && node.contract.contractId === contractId,
  );
}
