/**
 * Durations as configurations write them: a whole number and a unit, `5m`, `48h`, `30d`, `90 seconds`. A duration has at
 * least one second and at most a hundred years.
 */
import { DAY, HOUR, MINUTE, type Parsed, SECOND } from "@callsign/ledger";

/** A hundred years. */
const MAX_SCHEDULE_MICROSECONDS: bigint = 36_500n * DAY;

const UNITS: readonly (readonly [RegExp, bigint])[] = [
  [/^(s|secs?|seconds?)$/, SECOND],
  [/^(m|mins?|minutes?)$/, MINUTE],
  [/^(h|hours?)$/, HOUR],
  [/^(d|days?)$/, DAY],
];
const DURATION = /^(\d{1,12}) ?([a-z]+)$/;

/** Returns microseconds. */
export function parseDuration(text: string): Parsed<bigint> {
  const [, digits = "0", name = ""] = DURATION.exec(text.trim()) ?? [];
  const [, unit = 0n] = UNITS.find(([names]) => names.test(name)) ?? [];
  const value = BigInt(digits) * unit;
  if (value > 0n && value <= MAX_SCHEDULE_MICROSECONDS) return { ok: true, value };
  const shown = JSON.stringify(text.slice(0, 50));
  const error = `${shown} is no length of time: write a positive whole number and s, m, h or d, as in 5m, 48h or 30d, up to 36500d`;
  return { ok: false, error };
}
