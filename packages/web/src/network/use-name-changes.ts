/** Changes of names while they happen: the recent ones of a small network first, then events as a browser's EventSource gets them. */
import type { NameChange } from "@callsign/api";
import { useEffect, useState } from "react";
import { formatCallAddress } from "../calls/call-address.ts";
import { useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";

/** Changes that stay in view. */
const MOST_SHOWN = 50;
const FIRST_PAGE = 100;
const CHANGES = "/ext/v1/names/changes";

export interface ChangeFeed {
  /** The newest first. */
  readonly changes: readonly NameChange[];
  readonly state: "connecting" | "open" | "closed";
  readonly reconnect: () => void;
}

export function useNameChanges(): ChangeFeed {
  const { scan } = useWebConfig().services;
  const first = useRead("scan", "GET /ext/v1/names/changes", { query: { page_size: FIRST_PAGE } });
  const [live, setLive] = useState<readonly NameChange[]>([]);
  const [state, setState] = useState<ChangeFeed["state"]>("connecting");
  const [attempt, setAttempt] = useState(0);
  const isRead = first.data !== undefined || first.isError;
  // A full page says that there is more behind it than the recent past: the feed then begins with the next change.
  const past = first.data !== undefined && first.data.changes.length < FIRST_PAGE ? first.data : null;
  const [beginning, setBeginning] = useState<string | null | undefined>();
  if (isRead && beginning === undefined) setBeginning(past?.next ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another connection.
  useEffect(() => {
    if (scan === null || beginning === undefined) return undefined;
    setState("connecting");
    const source = new EventSource(scan + formatCallAddress(CHANGES, {}, { after: beginning }));
    source.addEventListener("open", () => setState("open"));
    source.addEventListener("error", () =>
      setState(source.readyState === EventSource.CLOSED ? "closed" : "connecting"),
    );
    source.addEventListener("change", ({ data }: MessageEvent<string>) => {
      const change = JSON.parse(data) as NameChange;
      setLive((before) => [change, ...before].slice(0, MOST_SHOWN));
    });
    return () => source.close();
  }, [scan, beginning, attempt]);

  const changes = mergeChanges(live, past?.changes.toReversed() ?? []);
  return { changes, state, reconnect: () => setAttempt((before) => before + 1) };
}

/** Newest first, each once: a change may be in the page that was read again as well as among the events. */
function mergeChanges(live: readonly NameChange[], past: readonly NameChange[]): readonly NameChange[] {
  const seen = new Set<string>();
  return [...live, ...past]
    .filter(({ offset, kind, name }) => {
      const key = `${offset} ${kind} ${name}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, MOST_SHOWN);
}
