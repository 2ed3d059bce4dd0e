/**
 * The whole answers of lookups: status, headers and body. Every answer with entries has a tag, by which a reader need not
 * get the same bytes twice. Caches may keep an entry for a short time and never past its expiry, so that a renewal shows
 * soon. Where the clock can be moved, no time is promised.
 */
import { type Rejection, spliceError, WAIT_FOR_HEADER } from "@callsign/api";
import type { Time } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { MAX_CACHED_SECONDS } from "../limits/limits.ts";
import { type FoundName, tagOf } from "../names/name-entry.ts";
import type { NameAnswer } from "../names/name-lookup.ts";
import type { ScanIndex } from "../rows/scan-index.ts";

/** The time of an answer. */
export interface AnswerTime {
  readonly now: Time;
  readonly canBeMoved: boolean;
}

/** Before the network is founded, nobody knows whether its clock can be moved. */
export function answerTimeOf({ now, network }: Pick<ScanIndex, "now" | "network">): AnswerTime {
  return { now, canBeMoved: network?.movableClock ?? true };
}

const JSON_TYPE = "application/json";
const LONGEST = `public, max-age=${MAX_CACHED_SECONDS}`;
const SECOND = 1_000_000n;
const LONGEST_MICROSECONDS = BigInt(MAX_CACHED_SECONDS) * SECOND;

export function showName(
  found: NameAnswer,
  { by, given }: { readonly by: "name" | "party"; readonly given: string },
  time: AnswerTime,
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

function headersOf({ answer, tag, expiresAt }: FoundName, { now, canBeMoved }: AnswerTime) {
  const etag = `"${tag ?? sha256(answer)}"`;
  if (canBeMoved) return { "content-type": JSON_TYPE, etag };
  const cacheControl = expiresAt === null ? LONGEST : untilExpiry(expiresAt - now);
  // A reader that waits for a record time must not get an answer that was kept from before.
  return { "content-type": JSON_TYPE, etag, "cache-control": cacheControl, vary: WAIT_FOR_HEADER };
}

function untilExpiry(microseconds: bigint): string {
  return microseconds >= LONGEST_MICROSECONDS ? LONGEST : `public, max-age=${microseconds / SECOND}`;
}
