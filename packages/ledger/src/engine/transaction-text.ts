/**
 * The canonical text of a transaction: what its digest is taken over. Parties and template ids stand once, in
 * tables at the head; nodes name them by index.
 */
import type { Transaction, TransactionNode } from "./transaction.ts";

export function formatTransaction({ updateId, ledgerTime, nodes }: Transaction): string {
  const parties = new StringTable();
  const ids = new StringTable();
  const written = nodes.map((node) => formatNode(node, parties, ids)).join(",");
  return `["${updateId}","${ledgerTime}",${parties.format()},${ids.format()},[${written}]]`;
}

function formatNode(node: TransactionNode, parties: StringTable, ids: StringTable): string {
  const stakeholders = `[${parties.indexes(node.signatories)}],[${parties.indexes(node.observers)}]`;
  if (node.kind === "create") {
    const { contractId, templateId, payload } = node.contract;
    return `["create","${contractId}",${ids.index(templateId)},${stakeholders},${payload}]`;
  }
  const interfaceIndex = node.interfaceId === null ? "null" : ids.index(node.interfaceId);
  const { argument, result } = node;
  return (
    `["${node.consuming ? "consume" : "exercise"}",${node.lastDescendant},"${node.contractId}",` +
    `${ids.index(node.templateId)},${interfaceIndex},"${node.choice}",${stakeholders},` +
    `[${parties.indexes(node.actingParties)}],[${parties.indexes(node.choiceObservers)}],` +
    `${argument.text},${result.text}]`
  );
}

/** Strings in the order of their first use. None of them holds a character that JSON escapes. */
class StringTable {
  readonly #indexes = new Map<string, number>();

  index(entry: string): number {
    const known = this.#indexes.get(entry);
    if (known !== undefined) return known;
    this.#indexes.set(entry, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  indexes(entries: readonly string[]): string {
    return entries.map((entry) => this.index(entry)).join(",");
  }

  format(): string {
    return JSON.stringify([...this.#indexes.keys()]);
  }
}
