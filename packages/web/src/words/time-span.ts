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

/** In the fewest parts, as `parseTimeSpan` reads it: `1d 12h`. */
export function formatTimeSpan(seconds: number): string {
  const units = Object.entries(UNIT_SECONDS).filter(([unit]) => unit !== "w");
  const parts: string[] = [];
  let rest = Math.trunc(seconds);
  for (const [unit, size] of units.reverse()) {
    if (rest >= size) parts.push(`${Math.trunc(rest / size)}${unit}`);
    rest %= size;
  }
  return parts.join(" ") || "0s";
}
