/** Streams completions from an offset on, until the reader leaves. */
import type { CompletionItem } from "@callsign/api";
import { STREAM_BATCH } from "../limits/limits.ts";
import { makeCheckpoint } from "../reads/checkpoint.ts";
import { type CompletionView, formatCompletion } from "../reads/completion-view.ts";
import { checkBegin } from "../reads/offset-range.ts";
import { listCompletions, type StoredCompletion } from "../store/list-completions.ts";
import { followRange } from "./follow-range.ts";
import type { TailParts } from "./item-stream.ts";

export async function* streamCompletions(
  parts: TailParts,
  view: CompletionView,
  begin: number,
  signal: AbortSignal,
): AsyncGenerator<CompletionItem, void, void> {
  const { ledger, synchronizerId } = parts;
  checkBegin(begin, ledger.end);
  yield* followRange<CompletionItem>({
    ...parts,
    ...{ signal, begin, endInclusive: null },
    readPage: async (from, end) => {
      const page = { ...view, beginExclusive: from, endInclusive: end, limit: STREAM_BATCH };
      const completions = await listCompletions(ledger, page);
      const last = completions.length < STREAM_BATCH ? undefined : completions.at(-1);
      return { found: formatAll(completions, view, synchronizerId()), reached: last?.offset ?? end };
    },
    checkpoint: async (offset) => {
      const value = await makeCheckpoint(parts, offset, offset);
      return value === null ? null : { completionResponse: { OffsetCheckpoint: { value } } };
    },
  });
}

function* formatAll(
  completions: readonly StoredCompletion[],
  view: CompletionView,
  synchronizerId: string,
): Generator<CompletionItem, void, void> {
  for (const stored of completions) {
    const completion = formatCompletion(stored, view, synchronizerId);
    if (completion !== null) yield completion;
  }
}
