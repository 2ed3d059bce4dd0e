/** Streams items of the ledger between two offsets, or from one on, as the reader sees them. */
import { type Bell, type Host, nextTurn } from "@callsign/node";
import { STREAM_BATCH } from "../limits/limits.ts";
import { type CheckpointParts, makeCheckpoint } from "../reads/checkpoint.ts";
import { type AskedRange, checkRange } from "../reads/offset-range.ts";
import type { LedgerStore, StoredItem } from "../store/ledger-store.ts";
import { type ItemRange, listItems } from "../store/list-items.ts";
import type { CheckpointIntervals } from "./checkpoint-pace.ts";
import { followRange } from "./follow-range.ts";

export interface TailParts extends CheckpointParts {
  readonly ledger: LedgerStore;
  readonly advanced: Bell;
  readonly host: Host;
  readonly intervals: CheckpointIntervals;
}

export type Checkpoint = NonNullable<Awaited<ReturnType<typeof makeCheckpoint>>>;

export interface ItemView<T> extends Pick<ItemRange, "witnesses" | "hostings"> {
  readonly format: (item: StoredItem) => readonly T[];
  readonly checkpoint: (value: Checkpoint) => T;
}

export async function* streamItems<T>(
  parts: TailParts,
  asked: AskedRange,
  view: ItemView<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const { ledger } = parts;
  checkRange(asked, ledger.end);
  const { beginExclusive: begin, endInclusive, descendingOrder } = asked;
  if (descendingOrder && endInclusive !== null) {
    yield* descend(parts, { begin, end: endInclusive }, view, signal);
    return;
  }
  yield* followRange({
    ...parts,
    ...{ signal, begin, endInclusive },
    readPage: async (from, end) => {
      const items = await readItems(ledger, { begin: from, end, descending: false }, view);
      const last = items.length < STREAM_BATCH ? undefined : items.at(-1);
      return { found: formatAll(items, view), reached: last?.offset ?? end };
    },
    checkpoint: async (offset) => {
      const value = await makeCheckpoint(parts, offset, offset);
      return value === null ? null : view.checkpoint(value);
    },
  });
}

async function* descend<T>(
  { host, ledger }: TailParts,
  { begin, end }: { readonly begin: number; readonly end: number },
  view: ItemView<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  let from = end;
  while (!signal.aborted) {
    const items = await readItems(ledger, { begin, end: from, descending: true }, view);
    yield* formatAll(items, view);
    const last = items.at(-1);
    if (items.length < STREAM_BATCH || last === undefined) return;
    from = last.offset - 1;
    await nextTurn(host.timers);
  }
}

function readItems<T>(
  ledger: LedgerStore,
  { begin, end, descending }: { readonly begin: number; readonly end: number; readonly descending: boolean },
  { witnesses, hostings }: ItemView<T>,
): Promise<readonly StoredItem[]> {
  const range = { beginExclusive: begin, endInclusive: end, descending };
  return listItems(ledger, { ...range, limit: STREAM_BATCH, witnesses, hostings });
}

/** Formats items one at a time, as the reader takes them. */
function* formatAll<T>(items: readonly StoredItem[], { format }: ItemView<T>): Generator<T, void, void> {
  for (const item of items) yield* format(item);
}
