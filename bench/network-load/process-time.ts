/** Processor time of another process, as Linux counts it: in hundredths of a second. */
import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Microseconds of processor time so far, all threads together. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in brackets, which may have spaces; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
}
