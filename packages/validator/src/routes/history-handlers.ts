/** The history of the caller's coin. */
import { listTransactions } from "../history/list-transactions.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function historyHandlers(running: () => Running) {
  return {
    listTransactions: async ({ body }, call) => ({
      items: await listTransactions(running().history, walletOf(call).party, body),
    }),
  } satisfies Partial<Served>;
}
