import { readBounded } from "@callsign/api";
import type { Host, HttpClient } from "../host/host.ts";
import { startDeadline } from "../waiting/deadline.ts";

export interface FetchLimits {
  readonly host: Host;
  readonly milliseconds: number;
  readonly maxBytes: number;
  readonly stopping: AbortSignal | undefined;
}

/** An answer of any status, within a time and a length. The client follows no redirect. */
export async function fetchText(
  client: HttpClient,
  url: string,
  init: RequestInit,
  { host, milliseconds, maxBytes, stopping }: FetchLimits,
): Promise<{ readonly status: number; readonly text: string }> {
  const deadline = startDeadline(milliseconds, { timers: host.timers, signals: [stopping] });
  try {
    const headers = { accept: "application/json", ...init.headers };
    const response = await client.fetch(url, { ...init, headers, signal: deadline.signal });
    const text = await readBounded(response, maxBytes);
    if (text === undefined) throw new Error(`its answer is longer than ${maxBytes} bytes`);
    return { status: response.status, text };
  } finally {
    deadline.clear();
  }
}
