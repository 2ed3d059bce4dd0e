/** A log line for people: `2026-01-01T00:00:00.000Z WARN  tick submission failed sv=sv-1 reason="no answer"`. */
import { plainText } from "../words/plain-text.ts";

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
  const words = Object.entries(fields).map(([name, value]) => `${plainText(name)}=${formatValue(value)}`);
  return `${[at, LEVELS[Number(level)] ?? String(level), plainText(String(msg)), ...words].join(" ")}\n`;
}

/** Texts with spaces or quotes are quoted as in JSON. */
function formatValue(value: unknown): string {
  const isBare = typeof value === "string" && /^[^\s"=\p{C}]+$/u.test(value);
  // JSON has escapes for a part of the control characters alone.
  return plainText(isBare ? value : JSON.stringify(value));
}
