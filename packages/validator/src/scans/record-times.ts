/**
 * The record time that a scan has reached: its answers carry it, and a reader that knows of a later one asks the scan to
 * wait for it. So a lookup sees at least the ledger that the wallet has seen. Scans of Splice know neither header.
 */
import { type Fetch, RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "@callsign/api";
import { formatTime, parseTime, type Time } from "@callsign/ledger";
import type { Quorum } from "./agreement.ts";

export interface TimedFetchParts {
  readonly fetch: Fetch;
  /** The record time to wait for; null for none. */
  readonly waitFor: () => Time | null;
  readonly heard: (time: Time) => void;
}

export function timedFetch({ fetch, waitFor, heard }: TimedFetchParts): Fetch {
  const written = { time: null as Time | null, text: "" };
  let said: string | null = null;
  return async (url, init) => {
    const wanted = waitFor();
    if (wanted !== null && wanted !== written.time)
      Object.assign(written, { time: wanted, text: formatTime(wanted) });
    const headers = wanted === null ? init.headers : { ...init.headers, [WAIT_FOR_HEADER]: written.text };
    const response = await fetch(url, headers === undefined ? init : { ...init, headers });
    const text = response.headers.get(RECORD_TIME_HEADER);
    if (text !== null && text !== said) {
      said = text;
      const time = parseTime(text);
      if (time.ok) heard(time.value);
    }
    return response;
  };
}

/**
 * A time that the network has certainly reached. Of many scans, the latest that f+1 of them stand at or behind; of
 * few, which have to agree anyway, the earliest.
 */
export function decideRecordTime({ needed, unanimous }: Quorum, heard: readonly Time[]): Time | undefined {
  const latestFirst = [...heard].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return unanimous ? latestFirst.at(-1) : latestFirst[needed - 1];
}
