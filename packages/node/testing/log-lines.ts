import { readFileSync } from "node:fs";

export type LogLine = Readonly<Record<string, unknown>>;

/** The lines of a log file in JSON. */
export function readLogLines(file: string): readonly LogLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
