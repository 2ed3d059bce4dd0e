/** A log line for people: `2026-01-01T00:00:00.000Z WARN  tick submission failed sv=sv-1 reason="no answer"`. */

const LEVELS: Readonly<Record<number, string>> = {
  20: "DEBUG",
  30: "INFO ",
  40: "WARN ",
  50: "ERROR",
  70: "AUDIT",
};

/** Turns a line of JSON, as the other format has it, into a readable one. */
export function formatReadable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const at = typeof time === "number" ? new Date(time).toISOString() : "";
  const words = Object.entries(fields).map(([name, value]) => `${plain(name)}=${formatValue(value)}`);
  return `${[at, LEVELS[Number(level)] ?? String(level), plain(String(msg)), ...words].join(" ")}\n`;
}

/** Texts with spaces or quotes are quoted as in JSON. */
function formatValue(value: unknown): string {
  const isBare = typeof value === "string" && /^[^\s"=\p{C}]+$/u.test(value);
  // JSON has escapes for a part of the control characters alone.
  return plain(isBare ? value : JSON.stringify(value));
}

/** A caller's text must not begin a line of its own, or move the terminal's cursor. */
function plain(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, "?");
}
