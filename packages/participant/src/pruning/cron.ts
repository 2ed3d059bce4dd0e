/**
 * Cron expressions have six or seven fields separated by blanks: second, minute, hour, day of the month, month, day of
 * the week, and optionally the year; all in GMT. Days of the week are numbered 1 to 7 from Sunday. A field is a list,
 * separated by commas, of single values, ranges (`22-2` goes past midnight) and `*`, each with an optional step; `5/10`
 * goes from 5 to the field's end, and `/10` takes every tenth from the field's least value. Months and days of the week
 * may be written JAN and SUN. Exactly one of the two day fields is `?`, for no restriction. Letter case does not matter.
 */
import { type Parsed, SECOND } from "@callsign/ledger";
import { MAX_CRON } from "../limits/limits.ts";
import { CRON_FIELDS, CronFault, type CronField, parseCronField } from "./cron-field.ts";

export interface Cron {
  /** The expression as written, without needless blanks. */
  readonly text: string;
  /** The first later time, in microseconds since 1970; null after the last year. */
  readonly nextAfter: (time: bigint) => bigint | null;
}

interface Times {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Null for `?`. */
  readonly daysOfMonth: ReadonlySet<number> | null;
  readonly daysOfWeek: ReadonlySet<number> | null;
  readonly months: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
}

export function parseCron(given: string): Parsed<Cron> {
  const text = given.trim().replace(/\s+/g, " ");
  try {
    const times = parseTimes(text);
    const cron: Cron = { text, nextAfter: (time) => findNext(times, time) };
    const beginning = BigInt(Date.UTC(CRON_FIELDS.year.min, 0, 1)) * 1000n - 1n;
    if (cron.nextAfter(beginning) === null) {
      throw new CronFault("no month that it names has such a day, so it never comes");
    }
    return { ok: true, value: cron };
  } catch (error) {
    if (!(error instanceof CronFault)) throw error;
    const shown = JSON.stringify(text.slice(0, MAX_CRON));
    const example = "for example, 0 0 3 * * ? is three o'clock every night";
    return { ok: false, error: `The cron expression ${shown} cannot be used: ${error.message}; ${example}` };
  }
}

function parseTimes(text: string): Times {
  if (text.length > MAX_CRON) throw new CronFault(`it is longer than ${MAX_CRON} characters`);
  const fields = text === "" ? [] : text.toUpperCase().split(" ");
  if (fields.length < 6 || fields.length > 7) {
    throw new CronFault(
      `it has ${fields.length} fields, and needs 6 or 7: second minute hour day-of-month month day-of-week [year]`,
    );
  }
  const [second = "", minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = "", year = "*"] =
    fields;
  if ((dayOfMonth === "?") === (dayOfWeek === "?")) {
    throw new CronFault("exactly one of the day of the month and the day of the week must be ?");
  }
  return {
    seconds: parseCronField(second, CRON_FIELDS.second),
    minutes: parseCronField(minute, CRON_FIELDS.minute),
    hours: parseCronField(hour, CRON_FIELDS.hour),
    daysOfMonth: parseDays(dayOfMonth, CRON_FIELDS.dayOfMonth),
    daysOfWeek: parseDays(dayOfWeek, CRON_FIELDS.dayOfWeek),
    months: new Set(parseCronField(month, CRON_FIELDS.month)),
    years: new Set(parseCronField(year, CRON_FIELDS.year)),
  };
}

function parseDays(text: string, field: CronField): ReadonlySet<number> | null {
  return text === "?" ? null : new Set(parseCronField(text, field));
}

function findNext(times: Times, time: bigint): bigint | null {
  const { min, max } = CRON_FIELDS.year;
  // The next whole second; the division goes towards zero, the remainder with it.
  const second = time >= 0n ? time / SECOND + 1n : -((-time - 1n) / SECOND);
  const earliest = new Date(Math.max(Number(second) * 1000, Date.UTC(min, 0, 1)));
  const [firstYear, firstMonth] = [earliest.getUTCFullYear(), earliest.getUTCMonth()];
  let isFirst = true;
  for (let year = firstYear; year <= max; year++) {
    for (let month = isFirst ? firstMonth : 0; month < 12; month++) {
      const from = isFirst ? earliest : new Date(Date.UTC(year, month, 1));
      isFirst = false;
      if (!times.years.has(year) || !times.months.has(month + 1)) continue;
      const found = findInMonth(times, from);
      if (found !== null) return BigInt(found) * 1000n;
    }
  }
  return null;
}

/** The first time at or after `from`, in milliseconds. */
function findInMonth(times: Times, from: Date): number | null {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  for (let day = from.getUTCDate(); day <= lastDay; day++) {
    const date = Date.UTC(year, month, day);
    if (!isDay(times, day, new Date(date).getUTCDay() + 1)) continue;
    const isFirstDay = day === from.getUTCDate();
    const clock = findInDay(times, isFirstDay ? secondOfDay(from) : 0);
    if (clock !== null) return date + clock * 1000;
  }
  return null;
}

function isDay({ daysOfMonth, daysOfWeek }: Times, dayOfMonth: number, dayOfWeek: number): boolean {
  return daysOfMonth?.has(dayOfMonth) ?? daysOfWeek?.has(dayOfWeek) ?? false;
}

function secondOfDay(date: Date): number {
  return date.getUTCHours() * 3600 + date.getUTCMinutes() * 60 + date.getUTCSeconds();
}

/** The first second of the day that is not before the given one. */
function findInDay({ hours, minutes, seconds }: Times, from: number): number | null {
  for (const hour of hours) {
    if (hour * 3600 + 3599 < from) continue;
    for (const minute of minutes) {
      const begin = hour * 3600 + minute * 60;
      if (begin + 59 < from) continue;
      const second = seconds.find((each) => begin + each >= from);
      if (second !== undefined) return begin + second;
    }
  }
  return null;
}
