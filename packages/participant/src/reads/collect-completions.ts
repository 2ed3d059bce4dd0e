/** Collects the completions of a range for a reader, batch by batch. */
import type { CompletionItem } from "@callsign/api";
import { type Host, nextTurn } from "@callsign/node";
import { LIST_BATCH, MAX_EXAMINED_ITEMS } from "../limits/limits.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import { listCompletions } from "../store/list-completions.ts";
import { type CompletionView, formatCompletion } from "./completion-view.ts";
import type { Collected } from "./list-and-wait.ts";

export interface CollectCompletionsParts {
  readonly host: Host;
  readonly ledger: LedgerStore;
  readonly synchronizerId: () => string;
}

export async function collectCompletions(
  { host, ledger, synchronizerId }: CollectCompletionsParts,
  view: CompletionView,
  range: { readonly begin: number; readonly end: number; readonly sought: number },
): Promise<Collected<CompletionItem>> {
  const { end, sought } = range;
  const found: CompletionItem[] = [];
  let { begin } = range;
  for (let lookedAt = 0; lookedAt < MAX_EXAMINED_ITEMS; lookedAt += LIST_BATCH) {
    // Other requests get their turn between two batches.
    if (lookedAt > 0) await nextTurn(host.timers);
    const page = { ...view, beginExclusive: begin, endInclusive: end, limit: LIST_BATCH };
    const completions = await listCompletions(ledger, page);
    for (const stored of completions) {
      if (found.length >= sought) return { found, reached: null };
      const completion = formatCompletion(stored, view, synchronizerId());
      if (completion !== null) found.push(completion);
    }
    const last = completions.at(-1);
    if (completions.length < LIST_BATCH || last === undefined) return { found, reached: end };
    begin = last.offset;
  }
  return { found, reached: begin };
}
