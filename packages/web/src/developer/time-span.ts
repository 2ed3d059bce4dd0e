/** Lengths of time as people write them: `90m`, `36h`, `1d 12h`. */

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const PART = /(\d{1,9})\s*([smhdw])/gi;

/** Null for a text that is no length of time, or one of zero. */
export function parseTimeSpan(text: string): number | null {
  const given = text.trim();
  if (given === "" || given.replace(PART, "").trim() !== "") return null;
  let seconds = 0;
  for (const [, count = "", unit = ""] of given.matchAll(PART)) {
    seconds += Number(count) * (UNIT_SECONDS[unit.toLowerCase()] ?? 0);
  }
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : null;
}

/** The part of a move's way that lies behind it, from 0 to 1. */
export function progressOf(
  time: string,
  { from, to }: { readonly from: string; readonly to: string },
): number {
  const [now, begin, end] = [Date.parse(time), Date.parse(from), Date.parse(to)];
  if (!(end > begin)) return 1;
  return Math.min(1, Math.max(0, (now - begin) / (end - begin)));
}
