/**
 * Pages of the history of updates. A page that takes long is read in slices, one a turn and one page at a time, so that other
 * calls are answered in between. It shows the history at the record time at which it was asked for, however far scan moves on meanwhile.
 */
import { spliceError } from "@callsign/api";
import { MIN_TIME, type Network, parseTime } from "@callsign/ledger";
import { type Clock, KeyedQueue, nextTurn, RawJson, Refusal, type Timers } from "@callsign/node";
import type { KnownUpdate } from "../history/stored-update.ts";
import { PAGE_TURN_MILLISECONDS } from "../limits/limits.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanSource } from "../rows/scan-source.ts";
import { checkPageSize } from "./page-size.ts";

export interface AskedUpdates {
  readonly after: { readonly after_migration_id: number; readonly after_record_time: string } | null;
  readonly page_size: number;
}

export interface UpdateList<T> {
  /** The field of the answer. */
  readonly field: "transactions" | "events";
  readonly show: (update: KnownUpdate, network: Network) => T;
}

interface UpdatePagesParts extends Pick<ScanSource, "refresh"> {
  readonly index: () => ScanIndex;
  readonly timers: Timers;
  readonly clock: Clock;
}

export type AnswerUpdates = <T>(
  page: AskedUpdates,
  list: UpdateList<T>,
  call: { readonly signal: AbortSignal },
) => RawJson | Promise<RawJson>;

const END = Buffer.from("]}");

export function openUpdatePages({ index, refresh, timers, clock }: UpdatePagesParts): AnswerUpdates {
  const pages = new KeyedQueue();
  return (page, { field, show }, call) => {
    const range = readRange(page, index());
    const begin = Buffer.from(`{"${field}":[`);
    // Encoded update by update: the whole text may have many megabytes.
    const texts: Buffer[] = [];
    const answer = () => new RawJson(Buffer.concat([begin, ...texts, END]));
    if (range === null) return answer();
    const { network, updates, until } = range;
    let { after } = range;
    /** True once the page is whole. */
    const readSlice = (): boolean => {
      const end = clock.elapsedMilliseconds() + PAGE_TURN_MILLISECONDS;
      do {
        const [update] = texts.length < page.page_size ? updates.listAfter({ after, until, limit: 1 }) : [];
        if (update === undefined) return true;
        const comma = texts.length === 0 ? "" : ",";
        texts.push(Buffer.from(comma + JSON.stringify(show(update, network))));
        after = update.recordTime;
      } while (clock.elapsedMilliseconds() < end);
      return false;
    };
    // Short pages, which are most, are answered in the same turn.
    if (readSlice()) return answer();
    return pages.run("", async () => {
      do {
        await nextTurn(timers);
        call.signal.throwIfAborted();
        refresh();
      } while (!readSlice());
      // To put a long text together takes a while as well.
      await nextTurn(timers);
      return answer();
    });
  };
}

/** Null if no update can be in it. */
function readRange(page: AskedUpdates, index: ScanIndex) {
  const { migration, time } = readAfter(page);
  checkPageSize(page.page_size);
  const { network, updates, now: until } = needHistory(index);
  if (migration > network.migrationId) return null;
  return { network, updates, until, after: migration < network.migrationId ? MIN_TIME - 1n : time };
}

function readAfter({ after }: AskedUpdates): { readonly migration: bigint; readonly time: bigint } {
  if (after === null) return { migration: -1n, time: MIN_TIME };
  const time = parseTime(after.after_record_time);
  if (!time.ok) throw new Refusal(spliceError(400, `Invalid timestamp: ${time.error}`));
  return { migration: BigInt(after.after_migration_id), time: time.value };
}

/** A list that lacks its beginning would be taken for the whole. */
function needHistory({ network, updates, now }: ScanIndex) {
  if (network !== null && updates.isComplete()) return { network, updates, now };
  const splice =
    "This scan instance has not yet replicated all data. This process can take an extended period of time to " +
    "complete. Wait until replication is complete, or connect to a different scan instance.";
  const reason = "It began in the middle of the log: its operator can build it anew from a whole log.";
  throw new Refusal(spliceError(503, `${splice} ${reason}`));
}
