/**
 * The record time that a scan stands at: its answers carry it, and a reader who knows of a later one asks it to wait.
 * So what a wallet has seen on the ledger, a lookup behind it has seen too. Scans that know neither header ignore the
 * one and lack the other.
 */
import { RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "@callsign/api";
import { parseTime, type Time } from "@callsign/ledger";
import type { Quorum } from "./agreement.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TimedFetchParts {
  /** The record time to wait for, as text; null for none. */
  readonly waitFor: () => string | null;
  readonly heard: (time: Time) => void;
}

export function timedFetch({ waitFor, heard }: TimedFetchParts): Fetch {
  return async (url, init) => {
    const wanted = waitFor();
    const headers = wanted === null ? {} : { [WAIT_FOR_HEADER]: wanted };
    const response = await fetch(url, { ...init, headers: { ...init.headers, ...headers } });
    const time = parseTime(response.headers.get(RECORD_TIME_HEADER) ?? "");
    if (time.ok) heard(time.value);
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
