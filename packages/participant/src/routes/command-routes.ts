/** Submissions: four that wait for their completion, and one that does not. */
import type { Transaction } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import { type EventFilter, readWildcardFilter } from "../events/event-filter.ts";
import { formatVisibleTransaction, type Shape } from "../events/format-transaction.ts";
import { treeOf } from "../events/format-transaction-tree.ts";
import { readTransactionFormat } from "../reads/update-view.ts";
import { checkNotPruned } from "../store/check-not-pruned.ts";
import type { Submitted } from "../submission/command-submitter.ts";
import { originOf } from "./origin.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

type Parts = Pick<LedgerApiParts, "submitter" | "ledger" | "catalogue" | "synchronizerId">;

export function commandRoutes(parts: Parts) {
  const { submitter, catalogue } = parts;
  return {
    submitAndWait: async ({ body }, call) => {
      const { updateId, offset } = await submitter.submit(body, originOf(call));
      return { updateId, completionOffset: offset };
    },
    submitAsync: async ({ body }, call) => {
      await submitter.submitAsync(body, originOf(call));
      return {};
    },
    submitAndWaitForTransaction: async ({ body }, call) => {
      const { commands, transactionFormat } = body;
      const asked = transactionFormat === null ? null : readTransactionFormat(transactionFormat, catalogue);
      const submitted = await submitter.submit(commands, originOf(call));
      const view = asked ?? { filter: filterOf(submitted, catalogue), shape: "acs-delta" };
      return { transaction: await getTransaction(parts, submitted, view) };
    },
    submitAndWaitForTransactionTree: async ({ body }, call) => {
      const submitted = await submitter.submit(body, originOf(call));
      const view = { filter: filterOf(submitted, catalogue), shape: "ledger-effects" } as const;
      return { transactionTree: treeOf(await getTransaction(parts, submitted, view)) };
    },
  } satisfies Partial<LedgerHandlers>;
}

/** All events that the submission's parties see. */
function filterOf({ actAs, readAs }: Submitted, catalogue: Catalogue): EventFilter {
  return readWildcardFilter([...actAs, ...readAs], catalogue);
}

async function getTransaction(
  { ledger, catalogue, synchronizerId }: Parts,
  { offset }: Submitted,
  view: { readonly filter: EventFilter; readonly shape: Shape },
): Promise<Transaction> {
  const item = await ledger.findItem(offset);
  if (item === undefined) checkNotPruned(ledger, offset - 1);
  const shown = { ...view, catalogue, synchronizerId: synchronizerId(), evenIfEmpty: true };
  const transaction = item === undefined ? null : formatVisibleTransaction(item, shown);
  if (transaction === null) throw new Error(`the transaction at offset ${offset} is not stored`);
  return transaction;
}
