import { LogTrimmed, type OrderedLog } from "./ordered-log.ts";

/**
 * The bytes of the first entry of all, as soon as there is one. Null if it was trimmed and nothing keeps it, or if aborted.
 */
export async function readFirstEntry(
  log: Pick<OrderedLog, "follow" | "keptFirst">,
  signal: AbortSignal,
): Promise<string | null> {
  const kept = (await log.keptFirst?.()) ?? null;
  if (kept !== null) return kept;
  const only = new AbortController();
  try {
    for await (const { entries } of log.follow(0, AbortSignal.any([signal, only.signal]))) {
      only.abort();
      return entries[0] ?? null;
    }
  } catch (error) {
    if (!(error instanceof LogTrimmed)) throw error;
  }
  return null;
}
