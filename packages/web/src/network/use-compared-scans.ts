/** Asks the scan of every SV the same question, each through the page's own origin, and compares their answers. */
import type { WebConfig } from "@callsign/api";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { callWithHeaders } from "../calls/call.ts";
import { useWebConfig } from "../config/web-config.ts";
import { type ComparedScans, compareScans, type ScanAnswer } from "./compare-scans.ts";

const REFRESH_MILLISECONDS = 10_000;
/** A scan that hangs is given up. */
const PATIENCE_MILLISECONDS = 5000;
const NAMES = 100;
const RECORD_TIME_HEADER = "x-callsign-record-time";

/** Asks nothing where the server has no way to the scans of the SVs. */
export function useComparedScans(): UseQueryResult<ComparedScans> {
  const config = useWebConfig();
  return useQuery({
    queryKey: ["scans", "compared"],
    queryFn: async ({ signal }) => {
      const first = await compareAll(config, signal);
      // A name may have changed between two answers: scans that differ are asked once more.
      const isSettled = Object.values(first.bySv).every(({ verdict }) => verdict === "agrees");
      return isSettled ? first : compareAll(config, signal);
    },
    enabled: config.scans !== undefined && config.services.scan !== null,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

async function compareAll(config: WebConfig, signal: AbortSignal): Promise<ComparedScans> {
  const { scans = {} } = config;
  const [own, ...answers] = await Promise.all([
    ask(config, config.services.scan ?? "", signal),
    ...Object.entries(scans).map(async ([sv, base]) => [sv, await ask(config, base, signal)] as const),
  ]);
  return compareScans(Object.fromEntries(answers), own);
}

/** Names and their owners; null if the scan gives no answer. */
async function ask(config: WebConfig, base: string, signal: AbortSignal): Promise<ScanAnswer | null> {
  try {
    const { body, headers } = await callWithHeaders(
      config,
      "scan",
      "GET /v0/ans-entries",
      { query: { name_prefix: "", page_size: NAMES } },
      { signal, base, patienceMilliseconds: PATIENCE_MILLISECONDS },
    );
    const recordTime = headers.get(RECORD_TIME_HEADER);
    if (recordTime === null || Number.isNaN(Date.parse(recordTime))) return null;
    return { recordTime, text: JSON.stringify(body) };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
