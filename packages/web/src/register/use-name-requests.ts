import type { NameRequest } from "@callsign/api";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "../calls/use-calls.ts";

const WATCH_MILLISECONDS = 1500;
const SHOWN_REQUESTS = 100;

/** The user's newest requests for names. They are asked for again while the page watches one. */
export function useNameRequests(isWatching: boolean): UseQueryResult<{ requests: NameRequest[] }> {
  return useRead(
    "validator",
    "GET /ext/v1/entry/requests",
    { query: { page_size: SHOWN_REQUESTS } },
    isWatching ? { everyMilliseconds: WATCH_MILLISECONDS } : {},
  );
}
