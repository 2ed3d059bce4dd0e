import { DAY, HOUR, MINUTE, SECOND } from "@callsign/ledger";

/** Lengths of time as charts and HOCON write them: `1m`, `48h`, `10 seconds`, `1500 ms`; a bare number is milliseconds. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ns|nanos?|nanoseconds?)$/, 1e-9],
  [/^(us|micros?|microseconds?)$/, 1e-6],
  [/^(|ms|millis?|milliseconds?)$/, 1e-3],
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hours?)$/, 3600],
  [/^(d|days?)$/, 86_400],
];
const MAX_SECONDS = 36_500 * 86_400;

/** In seconds; undefined if the text is no length of time, or one of more than a hundred years. */
export function parseSettingDuration(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,12}(?:\.\d{1,9})?)\s*([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  const [, factor] = UNITS.find(([names]) => names.test(unit.toLowerCase())) ?? [];
  if (digits === undefined || factor === undefined) return undefined;
  const seconds = Number(digits) * factor;
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

const SHOWN_UNITS = [
  ["d", DAY],
  ["h", HOUR],
  ["m", MINUTE],
  ["s", SECOND],
  ["ms", SECOND / 1000n],
] as const;

/** In the largest unit of which it is a whole number, as `parseSettingDuration` reads it. */
export function formatSettingDuration(microseconds: bigint): string {
  const [unit, size] = SHOWN_UNITS.find(([, each]) => microseconds % each === 0n) ?? ["us", 1n];
  return `${microseconds / size}${unit}`;
}
