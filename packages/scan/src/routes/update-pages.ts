/** Pages of the history of updates, at the record time at which they were asked for, however far scan moves on meanwhile. */
import { spliceError } from "@callsign/api";
import { MIN_TIME, type Network, parseTime } from "@callsign/ledger";
import { RawJson, Refusal } from "@callsign/node";
import type { KnownUpdate } from "../history/stored-update.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ReadInTurns } from "./in-turns.ts";
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

export type AnswerUpdates = <T>(
  page: AskedUpdates,
  list: UpdateList<T>,
  call: { readonly signal: AbortSignal },
) => RawJson | Promise<RawJson>;

const END = Buffer.from("]}");

export function openUpdatePages(index: () => ScanIndex, readInTurns: ReadInTurns): AnswerUpdates {
  return (page, { field, show }, { signal }) => {
    const range = readRange(page, index());
    const begin = Buffer.from(`{"${field}":[`);
    // Encoded update by update: the whole text may have many megabytes.
    const texts: Buffer[] = [];
    const finish = () => new RawJson(Buffer.concat([begin, ...texts, END]));
    if (range === null) return finish();
    const { network, updates, until } = range;
    let { after } = range;
    const readMore = (): boolean => {
      const [update] = texts.length < page.page_size ? updates.listAfter({ after, until, limit: 1 }) : [];
      if (update === undefined) return true;
      const comma = texts.length === 0 ? "" : ",";
      texts.push(Buffer.from(comma + JSON.stringify(show(update, network))));
      after = update.recordTime;
      return false;
    };
    return readInTurns({ readMore, finish, signal });
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
export function needHistory({ network, updates, now }: ScanIndex, isWhole = updates.isComplete()) {
  if (network !== null && isWhole) return { network, updates, now };
  const splice =
    "This scan instance has not yet replicated all data. This process can take an extended period of time to " +
    "complete. Wait until replication is complete, or connect to a different scan instance.";
  const reason = "It began in the middle of the log: its operator can build it anew from a whole log.";
  throw new Refusal(spliceError(503, `${splice} ${reason}`));
}
