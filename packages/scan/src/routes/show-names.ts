/**
 * The whole answers of lookups: status, headers and body. Every answer with entries has a tag, by which a reader need not
 * get the same bytes twice. Caches may keep an entry for a short time and never past its expiry, so that a renewal shows
 * soon. Where the clock can be moved, no time is promised.
 */
import { type Rejection, spliceError, WAIT_FOR_HEADER } from "@callsign/api";
import { laterTime, type Time, timeFromMicros } from "@callsign/ledger";
import { type Clock, sha256 } from "@callsign/node";
import { MAX_CACHED_SECONDS } from "../limits/limits.ts";
import { type FoundName, tagOf } from "../names/name-entry.ts";
import type { NameAnswer } from "../names/name-lookup.ts";
import type { ScanIndex } from "../rows/scan-index.ts";

/** The time from which a cache may keep an answer; null where the clock can be moved, since no time is promised there. */
export type KeptFrom = Time | null;

/**
 * The record time stands still on a quiet log, while caches and expiry go by the time of day. Before the network is founded, nobody
 * knows whether its clock can be moved.
 */
export function keptFrom({ now, network }: Pick<ScanIndex, "now" | "network">, clock: Clock): KeptFrom {
  if (network?.movableClock ?? true) return null;
  return laterTime(now, timeFromMicros(BigInt(clock.wallMilliseconds()) * MILLISECOND));
}

const JSON_TYPE = "application/json";
/** A page must not get an answer that was kept for another origin, nor a reader that waits for a record time one from before it. */
const VARY = `origin, ${WAIT_FOR_HEADER}`;
const LONGEST = `public, max-age=${MAX_CACHED_SECONDS}`;
const MILLISECOND = 1000n;
const SECOND = 1_000_000n;
const LONGEST_MICROSECONDS = BigInt(MAX_CACHED_SECONDS) * SECOND;

export function showName(
  found: NameAnswer,
  { by, given }: { readonly by: "name" | "party"; readonly given: string },
  time: KeptFrom,
): Rejection {
  switch (found.kind) {
    case "found":
      return { status: 200, headers: headersOf(found, time), body: found.answer };
    case "not-found":
      return spliceError(404, `No ans entry found for ${by}: ${given}`);
    case "no-dso-rules":
      return spliceError(404, "No DsoRules contract found");
  }
}

export function showList(entries: readonly string[]): Rejection {
  const body = `{"entries":[${entries.join(",")}]}`;
  // The tags of entries stand for their bytes, and are far fewer.
  const tags = entries.map((json) => tagOf(json) ?? json).join(",");
  const headers = { "content-type": JSON_TYPE, etag: `"${sha256(tags)}"` };
  return { status: 200, headers, body };
}

function headersOf({ answer, tag, expiresAt }: FoundName, now: KeptFrom) {
  const etag = `"${tag ?? sha256(answer)}"`;
  if (now === null) return { "content-type": JSON_TYPE, etag };
  const cacheControl = expiresAt === null ? LONGEST : untilExpiry(expiresAt - now);
  return { "content-type": JSON_TYPE, etag, "cache-control": cacheControl, vary: VARY };
}

function untilExpiry(microseconds: bigint): string {
  if (microseconds >= LONGEST_MICROSECONDS) return LONGEST;
  return `public, max-age=${microseconds > 0n ? microseconds / SECOND : 0n}`;
}
