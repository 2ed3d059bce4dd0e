/**
 * Durations as configurations write them: a whole number and a unit, `5m`, `48h`, `30d`, `90 seconds`. A duration has at
 * least one second and at most a hundred years.
 */
import { MAX_SCHEDULE_SECONDS } from "../limits/limits.ts";

const SECONDS: readonly (readonly [RegExp, bigint])[] = [
  [/^(s|secs?|seconds?)$/, 1n],
  [/^(m|mins?|minutes?)$/, 60n],
  [/^(h|hours?)$/, 3600n],
  [/^(d|days?)$/, 86_400n],
];
const DURATION = /^(\d{1,12}) ?([a-z]+)$/;

export type ParsedDuration =
  /** Microseconds. */
  { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly error: string };

export function parseDuration(text: string): ParsedDuration {
  const [, digits = "0", unit = ""] = DURATION.exec(text.trim()) ?? [];
  const [, secondsOfOne = 0n] = SECONDS.find(([name]) => name.test(unit)) ?? [];
  const seconds = BigInt(digits) * secondsOfOne;
  if (seconds > 0n && seconds <= MAX_SCHEDULE_SECONDS) return { ok: true, value: seconds * 1_000_000n };
  const shown = JSON.stringify(text.slice(0, 50));
  const error = `${shown} is no length of time: write a positive whole number and s, m, h or d, as in 5m, 48h or 30d, up to 36500d`;
  return { ok: false, error };
}
