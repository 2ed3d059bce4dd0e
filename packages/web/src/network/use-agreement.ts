/** Agreement of scans as the user's validator finds it, for servers that have no way to the scans of the SVs. */
import type { WebConfig } from "@callsign/api";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { callWithHeaders } from "../calls/call.ts";
import { useWebConfig } from "../config/web-config.ts";
import { useSession } from "../login/session.ts";

const REFRESH_MILLISECONDS = 15_000;

interface Agreement {
  readonly recordTime: string;
  /** The addresses of the scans that agreed with others since the page was opened. */
  readonly scans: ReadonlySet<string>;
}

/** A validator asks a few scans at a time and names those that agreed. Only its users can ask it. */
export function useAgreement(): UseQueryResult<Agreement | null> {
  const config = useWebConfig();
  const client = useQueryClient();
  const isIn = useSession().kind === "in";
  const queryKey = ["validator", "agreement", isIn];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Agreement | null>(queryKey)?.scans ?? [];
      const found = await readAgreement(config, signal);
      return found === null ? null : { ...found, scans: new Set([...before, ...found.scans]) };
    },
    enabled: isIn && config.services.validator !== null && config.scans === undefined,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

async function readAgreement(config: WebConfig, signal: AbortSignal): Promise<Agreement | null> {
  const { headers } = await callWithHeaders(
    config,
    "validator",
    "GET /v0/scan-proxy/ext/v1/names",
    { query: { name_prefix: "", page_size: 1 } },
    { signal },
  );
  const [recordTime, scans] = [headers.get("x-callsign-record-time"), headers.get("x-callsign-agreed-scans")];
  if (recordTime === null || scans === null) return null;
  return { recordTime, scans: new Set(scans.split(", ").map((url) => url.replace(/\/api\/scan$/, ""))) };
}
