/**
 * The text of a transaction that its digest is taken over. A contract id carries the hash of the contract's
 * template, payload and time, and who signs and observes it follows from these: so a contract is named by its id
 * alone, created or used, and all that can differ is still in the text.
 */
import type { PartyId } from "../values/party-id.ts";
import type { Transaction, TransactionNode } from "./transaction.ts";

export function formatTransaction({ updateId, ledgerTime, nodes }: Transaction): string {
  let shown = "";
  for (const node of nodes) shown += shown === "" ? formatNode(node) : `,${formatNode(node)}`;
  return `["${updateId}","${ledgerTime}",[${shown}]]`;
}

function formatNode(node: TransactionNode): string {
  if (node.kind === "create") return `["create","${node.contract.contractId}"]`;
  const { contractId, interfaceId, choice, consuming, lastDescendant, argument, result } = node;
  const shownInterface = interfaceId === null ? "null" : `"${interfaceId}"`;
  return (
    `["${consuming ? "consume" : "exercise"}",${lastDescendant},"${contractId}",${shownInterface},"${choice}",` +
    `[${formatParties(node.actingParties)}],[${formatParties(node.choiceObservers)}],${argument.text},${result.text}]`
  );
}

/** Party ids hold no character that JSON escapes. */
function formatParties(parties: readonly PartyId[]): string {
  return parties.length === 0 ? "" : `"${parties.join('","')}"`;
}
