/** The caller's names. */
import { createEntry } from "../entries/create-entry.ts";
import { listEntries } from "../entries/list-entries.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function nameHandlers(running: () => Running) {
  return {
    createAnsEntry: ({ body }, call) => createEntry(running(), walletOf(call), body),
    listAnsEntries: async (_, call) => ({ entries: await listEntries(running(), walletOf(call)) }),
  } satisfies Partial<Served>;
}
