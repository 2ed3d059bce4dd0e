/** The bytes that another process writes, as Linux counts them. */
import { readFileSync } from "node:fs";

/** Bytes that the process has written to the disk so far, or will once its pages are flushed. */
export function writtenBytesOf(pid: number): number {
  const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8")) ?? [];
  return Number(bytes);
}
