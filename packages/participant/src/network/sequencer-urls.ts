/** The rules for the URLs of sequencers. */
import { findBaseUrlFault, MAX_SEQUENCERS, trimBaseUrl } from "@callsign/api";

/** Returns the fault of the number of sequencers that must agree; null if it can be used. */
export function findThresholdFault(threshold: number | null, sequencers: number): string | null {
  if (threshold === null || (threshold >= 1 && threshold <= sequencers)) return null;
  return `${threshold} of ${sequencers} sequencers cannot agree: give 1 to ${sequencers}, or null`;
}

/** Returns the fault of the list; null if it can be used. */
export function findUrlFault(urls: readonly string[]): string | null {
  if (urls.length === 0 || urls.length > MAX_SEQUENCERS) {
    return `there are ${urls.length} URLs: give 1 to ${MAX_SEQUENCERS}`;
  }
  const seen = new Set<string>();
  for (const text of urls) {
    const fault = findBaseUrlFault(text);
    if (fault !== null) return fault;
    const same = trimBaseUrl(new URL(text).href);
    if (seen.has(same)) return `${JSON.stringify(text.slice(0, 200))} is given twice`;
    seen.add(same);
  }
  return null;
}
