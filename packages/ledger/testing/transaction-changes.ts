/** The last transaction in few words: the templates created and archived, the choices exercised. */
import { listArchived, listCreated, type Transaction } from "../src/engine/transaction.ts";
import type { Sandbox } from "./sandbox.ts";

/** Contracts that were created and archived within the transaction are in neither list. */
export function changesOf(sandbox: Sandbox): {
  readonly archived: readonly string[];
  readonly created: readonly string[];
} {
  const transaction = lastTransaction(sandbox);
  return {
    archived: listArchived(transaction).map(({ templateId }) => entityOf(templateId)),
    created: listCreated(transaction).map(({ contract }) => entityOf(contract.templateId)),
  };
}

/** The nodes in order: `["AmuletRules_Transfer AmuletRules", "create Amulet"]`. */
export function shapeOf(sandbox: Sandbox): readonly string[] {
  return lastTransaction(sandbox).nodes.map((node) =>
    node.kind === "create"
      ? `create ${entityOf(node.contract.templateId)}`
      : `${node.choice} ${entityOf(node.templateId)}`,
  );
}

/** The choices of the transaction in the order they were exercised, with who exercised them. */
export function exercisesOf(sandbox: Sandbox): readonly (readonly [string, readonly string[]])[] {
  return lastTransaction(sandbox)
    .nodes.filter((node) => node.kind === "exercise")
    .map(({ choice, actingParties }) => [choice, actingParties]);
}

/** The arguments with which a choice was exercised, in order. */
export function argumentsOf(sandbox: Sandbox, choice: string): readonly unknown[] {
  return lastTransaction(sandbox)
    .nodes.filter((node) => node.kind === "exercise")
    .filter((node) => node.choice === choice)
    .map(({ argument }) => argument.value);
}

function lastTransaction({ lastTransaction: transaction }: Sandbox): Transaction {
  if (transaction === null) throw new Error("nothing was submitted yet");
  return transaction;
}

function entityOf(templateId: string): string {
  return templateId.slice(templateId.lastIndexOf(":") + 1);
}
