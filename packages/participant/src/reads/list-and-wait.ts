/**
 * Streams as lists. Existing items are answered at once; a caller that is up to date waits for the next item, up to the
 * time it asked for. A list without an end that is empty or was cut short ends with an offset checkpoint, from which the
 * caller can continue.
 */
import { LIST_WAIT_MILLISECONDS } from "@callsign/api";
import type { Bell, Call, Host } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import { LIST_SETTLE_MILLISECONDS, MAX_LIST_WAIT_MILLISECONDS } from "../limits/limits.ts";
import { invalidArgument } from "../requests/identifiers.ts";
import { type CheckpointParts, makeCheckpoint } from "./checkpoint.ts";
import { collectItems } from "./collect-items.ts";
import type { LedgerReader } from "./ledger-reader.ts";
import { readListLimit } from "./list-limit.ts";
import { type AskedRange, checkRange } from "./offset-range.ts";

export interface ListParts extends CheckpointParts {
  readonly host: Host;
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly waiting: UserQuota;
}

export interface ListRequest {
  readonly asked: AskedRange;
  readonly query: { readonly limit: bigint | null; readonly stream_idle_timeout_ms: bigint | null };
}

export async function listAndWait<Row extends { readonly offset: number }, Item>(
  parts: ListParts,
  reader: LedgerReader<Row, Item>,
  { asked, query }: ListRequest,
  { caller, signal }: Pick<Call<LedgerCaller>, "caller" | "signal">,
): Promise<Item[]> {
  const { host, ledger, advanced, waiting } = parts;
  const { sought, cut } = readListLimit(query.limit);
  const wait = readWait(query.stream_idle_timeout_ms);
  checkRange(asked, ledger.end);
  const { beginExclusive: begin, endInclusive, descendingOrder: descending } = asked;
  const isWhole = endInclusive !== null;
  const { elapsedMilliseconds } = host.clock;
  let until = elapsedMilliseconds() + wait;
  const first = ledger.end;
  let leave: (() => void) | null = null;
  try {
    for (;;) {
      const end = endInclusive ?? ledger.end;
      const range = { begin, end, descending, sought, isWhole, signal };
      const { found, reached } = await collectItems(host, reader, range);
      const isCut = reached !== null && reached < end;
      const isOver = signal.aborted || elapsedMilliseconds() >= until;
      if (isWhole || (found.length > 0 && !isCut)) return cut(found);
      if (sought === 0 || isCut || isOver) {
        const value = await makeCheckpoint(parts, begin, reached);
        return value === null ? cut(found) : [...cut(found), reader.checkpoint(value)];
      }
      // The new items are not the caller's: a checkpoint soon tells the offset to read on from.
      if (end > first) until = Math.min(until, elapsedMilliseconds() + LIST_SETTLE_MILLISECONDS);
      leave ??= waiting.take(caller.userId);
      // The bell has rung already for items that arrived while the list was made.
      const milliseconds = until - elapsedMilliseconds();
      if (ledger.end === end) await advanced.wait({ milliseconds, signal });
    }
  } finally {
    leave?.();
  }
}

function readWait(given: bigint | null): number {
  if (given === null) return LIST_WAIT_MILLISECONDS;
  if (given < 0n) throw invalidArgument(`stream_idle_timeout_ms must not be negative, unlike ${given}`);
  return given > MAX_LIST_WAIT_MILLISECONDS ? MAX_LIST_WAIT_MILLISECONDS : Number(given);
}
