/** One field of a cron expression, and the values that it names. */
export interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of its values, from the first on. */
  readonly names?: readonly string[];
  /** True if a range may wrap around the end. */
  readonly isRound: boolean;
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

export const CRON_FIELDS = {
  second: { name: "the seconds", min: 0, max: 59, isRound: true },
  minute: { name: "the minutes", min: 0, max: 59, isRound: true },
  hour: { name: "the hours", min: 0, max: 23, isRound: true },
  dayOfMonth: { name: "the day of the month", min: 1, max: 31, isRound: true },
  month: { name: "the month", min: 1, max: 12, names: MONTHS, isRound: true },
  dayOfWeek: { name: "the day of the week", min: 1, max: 7, names: DAYS, isRound: true },
  year: { name: "the year", min: 1900, max: 2099, isRound: false },
} as const satisfies Readonly<Record<string, CronField>>;

export class CronFault extends Error {
  override readonly name = "CronFault";
}

/** Syntax of other dialects of cron. */
const SPECIAL = /#|^(?:\d+|[A-Z]{3})?(?:L|LW|W|C)(?:-\d+)?$/;
const PART = /^(?:(\*)|([0-9]+|[A-Z]+)(?:-([0-9]+|[A-Z]+))?)?(?:\/([0-9]+))?$/;

/** Returns the values in ascending order. Throws a `CronFault` that says what is wrong. */
export function parseCronField(text: string, field: CronField): readonly number[] {
  const values = new Set(text.split(",").flatMap((part) => parsePart(part, field)));
  return [...values].sort((a, b) => a - b);
}

function parsePart(part: string, field: CronField): readonly number[] {
  const found = part === "" || SPECIAL.test(part) ? null : PART.exec(part);
  if (found === null) throw new CronFault(explain(part, field));
  const [, , from, to, step] = found;
  const { min, max, isRound } = field;
  const start = from === undefined ? min : parseValue(from, field);
  // A single value is itself; with a step it goes on to the end, as a star and nothing at all do.
  const end =
    to !== undefined ? parseValue(to, field) : from !== undefined && step === undefined ? start : max;
  const by = step === undefined ? 1 : Number(step);
  const size = max - min + 1;
  if (by < 1 || by > size) {
    throw new CronFault(`${field.name} has the step ${step}: it must be from 1 to ${size}`);
  }
  if (end < start && !isRound) {
    throw new CronFault(`${field.name} has the range ${part}, which ends before it begins`);
  }
  const last = end < start ? end + size : end;
  const values: number[] = [];
  for (let value = start; value <= last; value += by) values.push(value > max ? value - size : value);
  return values;
}

function parseValue(text: string, field: CronField): number {
  const { min, max, names = [] } = field;
  const named = names.indexOf(text);
  const value = named >= 0 ? min + named : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const orNames = names.length === 0 ? "" : `, or ${names[0]} to ${names.at(-1)}`;
  throw new CronFault(
    `${field.name} cannot be ${text.slice(0, 20)}: it goes from ${min} to ${max}${orNames}`,
  );
}

function explain(part: string, { name }: CronField): string {
  if (part === "?") return `${name} cannot be ?: only one of the two day fields can`;
  if (SPECIAL.test(part)) {
    return `${name} has ${part.slice(0, 20)}: L, W, C and # are not understood, list the days instead`;
  }
  return `${name} has "${part.slice(0, 20)}", which is no value, range or step`;
}
