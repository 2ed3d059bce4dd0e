/** Changes of names as pages, or as server-sent events. */
import { spliceError, type NameChange as WireNameChange } from "@callsign/api";
import { Bell, EventStream, Quota, Refusal, readWeights, type Timers } from "@callsign/node";
import {
  FEED_HEARTBEAT_MILLISECONDS,
  FEED_PAGE,
  MAX_FEED_LISTENERS,
  MAX_FEED_LISTENERS_PER_ADDRESS,
} from "../limits/limits.ts";
import type { ScanHandlers } from "../routes/scan-handlers.ts";
import type { ChangeFilter } from "../rows/name-change-rows.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanSource } from "../rows/scan-source.ts";
import { showCompleteFrom, showNameChange } from "./show-changes.ts";

interface FeedParts extends Pick<ScanSource, "refresh" | "onApplied"> {
  readonly index: () => ScanIndex;
  readonly timers: Timers;
}

interface Following extends Omit<ChangeFilter, "limit"> {
  /** The listener's. */
  readonly address: string;
}

const LAST_EVENT_ID = "last-event-id";

export function extChangeRoutes({ index, refresh, onApplied, timers }: FeedParts) {
  const applied = new Bell(timers);
  onApplied(() => applied.ring());
  const places = new Quota(MAX_FEED_LISTENERS_PER_ADDRESS);
  let listeners = 0;

  /** Before the stream begins: then its status has been sent. */
  function checkPlaces(address: string): void {
    if (places.isFull(address)) throw new Refusal(spliceError(429, TOO_MANY_OF_ADDRESS));
    if (listeners >= MAX_FEED_LISTENERS) throw new Refusal(spliceError(503, TOO_MANY_LISTENERS));
  }

  /** Pages of events, without end. Every listener reads for itself, and none keeps changes in memory. */
  async function* follow({ address, ...filter }: Following, signal: AbortSignal): AsyncGenerator<string> {
    let { after } = filter;
    const giveBack = places.take(address);
    listeners++;
    try {
      yield formatFirstLines(after);
      while (!signal.aborted) {
        refresh();
        const { nameChanges } = index();
        // A listener may take its time with a page: changes of meanwhile are not among those that it has seen.
        const seen = nameChanges.findLast();
        const changes = nameChanges.list({ ...filter, after, limit: FEED_PAGE }).map(showNameChange);
        after = BigInt(changes.at(-1)?.offset ?? after);
        if (changes.length > 0) yield changes.map(formatEvent).join("");
        if (changes.length === FEED_PAGE) continue;
        const milliseconds = FEED_HEARTBEAT_MILLISECONDS;
        const hasMore = await applied.until(() => index().nameChanges.findLast() > seen, {
          signal,
          milliseconds,
        });
        if (!hasMore) yield HEARTBEAT;
      }
    } finally {
      listeners--;
      giveBack?.();
    }
  }

  return {
    listNameChanges: ({ query: { page_size: limit, after, name, party: owner } }, { header, address }) => {
      const { nameChanges } = index();
      const lastEvent = readLastEventId(header(LAST_EVENT_ID));
      if (wantsEvents(header("accept"))) {
        checkPlaces(address);
        const begin = lastEvent ?? after ?? nameChanges.findLast();
        return new EventStream((signal) => follow({ name, owner, after: begin, address }, signal));
      }
      const begin = after ?? 0n;
      const changes = nameChanges.list({ name, owner, after: begin, limit }).map(showNameChange);
      return {
        changes,
        next: changes.at(-1)?.offset ?? `${begin}`,
        complete_from: showCompleteFrom(index()),
      };
    },
  } satisfies ScanHandlers;
}

/** A caller that takes any type gets a page. */
function wantsEvents(accept = ""): boolean {
  return (readWeights(accept).get("text/event-stream") ?? 0) > 0;
}

const TOO_MANY_LISTENERS =
  `This scan has ${MAX_FEED_LISTENERS} listeners to changes of names already: try again in a minute, ask another scan, ` +
  "or read pages without the header accept";

const TOO_MANY_OF_ADDRESS =
  `This address has ${MAX_FEED_LISTENERS_PER_ADDRESS} listeners to changes of names already, as many as one address may have, of ` +
  `${MAX_FEED_LISTENERS} in all: close one of them, share one among your readers, or read pages without the header accept`;

/**
 * The browser's pause before it connects again, in milliseconds, and where the stream begins: a listener that loses it before
 * the first change goes on from there, with this scan or another.
 */
function formatFirstLines(after: bigint): string {
  return `retry: 2000\nid: ${after}\n\n`;
}

const HEARTBEAT = ":\n\n";

function formatEvent(change: WireNameChange): string {
  return `id: ${change.offset}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}

const MAX_OFFSET = 2n ** 63n - 1n;

/** Undefined without the header, or for an empty one, as browsers send it after an event without an id. */
function readLastEventId(text: string | undefined): bigint | undefined {
  if (text === undefined || text === "") return undefined;
  const offset = /^\d{1,19}$/.test(text) ? BigInt(text) : MAX_OFFSET + 1n;
  if (offset <= MAX_OFFSET) return offset;
  const allowed = "an offset of digits alone, as the ids of events are";
  throw new Refusal(spliceError(400, `${LAST_EVENT_ID}: '${text.slice(0, 100)}' is not ${allowed}`));
}
