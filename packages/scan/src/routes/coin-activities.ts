/** Transfers, taps and mints of coin. Newer clients read updates. */
import type { CoinTransaction } from "@callsign/api";
import { MIN_TIME, type Time } from "@callsign/ledger";
import { listCoinActivities } from "../history/coin-activities.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showActivity } from "../wire/wire-activity.ts";
import { deprecate } from "./deprecate.ts";
import type { ReadInTurns } from "./in-turns.ts";
import { checkPageSize } from "./page-size.ts";
import type { ScanHandlers } from "./scan-handlers.ts";
import { needHistory } from "./update-pages.ts";

interface Page {
  /** The activity before the first one of the page; null or empty for none. */
  readonly behind: string | null;
  readonly isDescending: boolean;
  readonly size: number;
}

const EVENT_ID = /^#([0-9a-f]{68}):(\d{1,9})$/;

export function coinActivityRoutes(index: () => ScanIndex, readInTurns: ReadInTurns) {
  const readPage = (page: Page, signal: AbortSignal) => readInTurns({ ...openPage(index(), page), signal });
  return deprecate({
    listActivity: async ({ body }, { signal }) => {
      const page = { behind: body.begin_after_id, isDescending: true, size: body.page_size };
      const told = await readPage(page, signal);
      return {
        activities: told.map(({ transaction_type, ...activity }) => ({
          activity_type: transaction_type,
          ...activity,
        })),
      };
    },
    listTransactionHistory: async ({ body }, { signal }) => {
      const isDescending = body.sort_order === "desc";
      const page = { behind: body.page_end_event_id, isDescending, size: body.page_size };
      return { transactions: [...(await readPage(page, signal))] };
    },
  } satisfies ScanHandlers);
}

/** Empty behind an activity that is not known, as in Splice. */
function openPage(index: ScanIndex, { behind, isDescending, size }: Page) {
  checkPageSize(size);
  const { activities } = index;
  const { network, updates, now } = needHistory(index, activities.isComplete());
  const page: CoinTransaction[] = [];
  const finish = (): readonly CoinTransaction[] => page.slice(0, size);
  const read = (recordTime: bigint) => {
    const update = updates.findAt(recordTime as Time);
    if (update === undefined) return [];
    const told = listCoinActivities(update.events).map((activity) => showActivity(activity, update, network));
    return isDescending ? told.toReversed() : told;
  };
  /** Behind the update that was read last. */
  let from: bigint = isDescending ? now : MIN_TIME;
  const moveBehind = (recordTime: bigint) => {
    from = recordTime + (isDescending ? -1n : 1n);
  };
  if (behind !== null && behind !== "") {
    const [, updateId = ""] = EVENT_ID.exec(behind) ?? [];
    const found = updateId === "" ? undefined : updates.find(updateId);
    const told = found === undefined ? [] : read(found.recordTime);
    const place = told.findIndex(({ event_id }) => event_id === behind);
    if (found === undefined || place < 0) return { readMore: () => true, finish };
    page.push(...told.slice(place + 1));
    moveBehind(found.recordTime);
  }
  const readMore = (): boolean => {
    if (page.length >= size) return true;
    const [time] = isDescending ? activities.listUpTo(from, 1) : activities.listFrom(from, 1);
    if (time === undefined || time > now) return true;
    page.push(...read(time));
    moveBehind(time);
    return false;
  };
  return { readMore, finish };
}
