/** The caller's names. */
import { createEntry } from "../entries/create-entry.ts";
import { listEntries } from "../entries/list-entries.ts";
import { removePrimaryName, setPrimaryName } from "../entries/primary-name.ts";
import { takeUpEntry } from "../entries/take-up-entry.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function nameHandlers(running: () => Running) {
  return {
    createAnsEntry: ({ body }, call) => createEntry(running(), walletOf(call), body),
    takeUpAnsEntry: ({ body }, call) => takeUpEntry(running(), walletOf(call), body.name),
    setPrimaryName: ({ body }, call) => setPrimaryName(running(), walletOf(call), body.name),
    removePrimaryName: (_, call) => removePrimaryName(running(), walletOf(call)),
    listNameRequests: async ({ query: { page_size: limit, begin_after_id } }, call) => ({
      requests: [
        ...(await running().history.listNameRequests(walletOf(call).party, {
          limit,
          after: begin_after_id || null,
        })),
      ],
    }),
    listAnsEntries: async (_, call) => ({ entries: await listEntries(running(), walletOf(call)) }),
  } satisfies Partial<Served>;
}
