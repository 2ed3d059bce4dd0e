/** Submissions: those that wait for their end, and one that does not. */
import type { ledgerApi } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { readEventFilter } from "../events/event-filter.ts";
import { formatVisibleTransaction } from "../events/format-transaction.ts";
import { readTransactionFormat } from "../reads/update-view.ts";
import { checkNotPruned } from "../store/check-not-pruned.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { CommandSubmitter } from "../submission/command-submitter.ts";
import { originOf } from "./origin.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, LedgerCaller>,
  "submitAndWait" | "submitAndWaitForTransaction" | "submitAsync"
>;

export function commandRoutes(parts: {
  readonly submitter: CommandSubmitter;
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly synchronizerId: () => string;
}): Routes {
  const { submitter, ledger, catalogue, synchronizerId } = parts;
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
      const { offset, actAs, readAs } = await submitter.submit(commands, originOf(call));
      const everything = Object.fromEntries(
        [...actAs, ...readAs].map((party) => [party, { cumulative: [] }]),
      );
      const { filter, shape } = asked ?? {
        filter: readEventFilter({ filtersByParty: everything, filtersForAnyParty: null }, catalogue),
        shape: "acs-delta" as const,
      };
      const item = await ledger.findItem(offset);
      if (item === undefined) checkNotPruned(ledger, offset - 1);
      const view = { catalogue, synchronizerId: synchronizerId(), filter, shape, evenIfEmpty: true };
      const transaction = item === undefined ? null : formatVisibleTransaction(item, view);
      if (transaction === null) throw new Error(`the transaction at offset ${offset} is not stored`);
      return { transaction };
    },
  };
}
