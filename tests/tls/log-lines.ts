import { readFileSync } from "node:fs";

/** The lines of a log file in JSON. */
export function readLines(file: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
