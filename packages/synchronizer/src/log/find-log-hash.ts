/** The hash of an entry that the log holds up to an end; null if it is trimmed, or the signal is faster. */
import { previousHashOf } from "./entry-hashes.ts";
import { EMPTY_HEAD, type LogHead, LogTrimmed, type OrderedLog } from "./ordered-log.ts";

export async function findLogHash(
  log: Pick<OrderedLog, "follow">,
  sequence: number,
  { end, signal }: { readonly end: LogHead; readonly signal: AbortSignal },
): Promise<string | null> {
  for (const known of [EMPTY_HEAD, end]) if (sequence === known.sequence) return known.entryHash;
  try {
    // The hash of an entry stands in the one after it.
    for await (const { entries } of log.follow(sequence, signal)) return previousHashOf(entries[0] ?? "");
  } catch (error) {
    if (!(error instanceof LogTrimmed)) throw error;
  }
  return null;
}
