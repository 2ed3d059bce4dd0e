/** Submissions that are answered with their transaction as a tree. */
import type { ledgerApi } from "@callsign/api";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { readWildcardFilter } from "../events/event-filter.ts";
import { formatVisibleTransaction } from "../events/format-transaction.ts";
import { treeOf } from "../events/format-transaction-tree.ts";
import type { FormatUpdateParts } from "../events/format-update.ts";
import { checkNotPruned } from "../store/check-not-pruned.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { CommandSubmitter } from "../submission/command-submitter.ts";
import { originOf } from "./origin.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, LedgerCaller>, "submitAndWaitForTransactionTree">;

export function treeSubmissionRoutes(
  parts: Pick<FormatUpdateParts, "catalogue" | "synchronizerId"> & {
    readonly submitter: CommandSubmitter;
    readonly ledger: LedgerStore;
  },
): Routes {
  const { submitter, ledger, catalogue, synchronizerId } = parts;
  return {
    submitAndWaitForTransactionTree: async ({ body }, call) => {
      const { offset, actAs, readAs } = await submitter.submit(body, originOf(call));
      const filter = readWildcardFilter([...actAs, ...readAs], catalogue);
      const item = await ledger.findItem(offset);
      if (item === undefined) checkNotPruned(ledger, offset - 1);
      const view = { catalogue, synchronizerId: synchronizerId(), filter, shape: "ledger-effects" as const };
      const transaction =
        item === undefined ? null : formatVisibleTransaction(item, { ...view, evenIfEmpty: true });
      if (transaction === null) throw new Error(`the transaction at offset ${offset} is not stored`);
      return { transactionTree: treeOf(transaction) };
    },
  };
}
