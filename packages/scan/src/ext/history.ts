/** The past of names: the changes of each, and numbers by day. */
import { MAX_STATISTICS_DAYS, type NameStatisticsDay, spliceError } from "@callsign/api";
import { DAY, formatDecimal, formatTime, parseTime, type Time } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { ScanHandlers } from "../routes/scan-handlers.ts";
import { dayNumberOf, type NameDay } from "../rows/name-day-rows.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showCompleteFrom, showNameChange } from "./show-changes.ts";

/** Days in an answer, unless the caller names the first. */
const SHOWN_DAYS = 30n;

export function extHistoryRoutes(index: () => ScanIndex) {
  return {
    getNameHistory: ({ params: { name }, query: { page_size: limit, after } }) => {
      const { nameChanges } = index();
      // SQLite would take a lone surrogate for another character.
      const filter = { name, owner: null, after, limit: limit + 1 };
      const changes = name.isWellFormed() ? nameChanges.list(filter) : [];
      const shown = changes.slice(0, limit).map(showNameChange);
      const hasMore = changes.length > limit;
      const next = hasMore ? (shown.at(-1)?.offset ?? null) : null;
      return { changes: shown, next, complete_from: showCompleteFrom(index()) };
    },
    getNameStatistics: ({ query }) => {
      const { nameChanges, now } = index();
      const { from, to } = readDays(query, dayNumberOf(now));
      return { days: nameChanges.days.list(from, to).map(showDay), complete_from: showCompleteFrom(index()) };
    },
  } satisfies ScanHandlers;
}

function showDay({
  day,
  live,
  registered,
  renewed,
  takenUp,
  ended,
  refunded,
  burned,
}: NameDay): NameStatisticsDay {
  return {
    day: formatDay(day),
    live: Number(live),
    registered: Number(registered),
    renewed: Number(renewed),
    taken_up: Number(takenUp),
    expired: Number(ended),
    refunded: Number(refunded),
    burned: formatDecimal(burned),
  };
}

function formatDay(day: bigint): string {
  return formatTime((day * DAY) as Time).slice(0, "2026-01-31".length);
}

interface GivenDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** Throws a refusal unless the days are in order, not too many, and not ahead of today. */
function readDays(given: GivenDays, today: bigint): { readonly from: bigint; readonly to: bigint } {
  const to = given.to === null ? today : readDay("to", given.to);
  const from = given.from === null ? laterOf(to - SHOWN_DAYS + 1n, 0n) : readDay("from", given.from);
  if (to > today) throw refuse(`to: ${formatDay(to)} is ahead of this network's day, ${formatDay(today)}`);
  if (from > to)
    throw refuse(`from: ${formatDay(from)} is behind the last day, ${formatDay(to)}: name an earlier one`);
  const days = to - from + 1n;
  if (days > MAX_STATISTICS_DAYS)
    throw refuse(
      `from: ${days} days are asked for, and an answer has at most ${MAX_STATISTICS_DAYS}: ask for them in parts`,
    );
  return { from, to };
}

function readDay(parameter: string, text: string): bigint {
  const time = parseTime(`${text}T00:00:00Z`);
  if (!time.ok || time.value < 0n)
    throw refuse(`${parameter}: ${text} is no day since 1970 such as 2026-01-31`);
  return dayNumberOf(time.value);
}

function laterOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function refuse(text: string): Refusal {
  return new Refusal(spliceError(400, text));
}
