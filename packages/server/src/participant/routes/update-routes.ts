/**
 * Updates as a list. What there is, is answered at once; a caller who is up to date is kept waiting for the next one,
 * as long as they said. Where the list had to look at much that did not concern the caller, or there was nothing, an
 * offset checkpoint says from where to go on.
 */
import { LIST_WAIT_MILLISECONDS, type ledgerApi, type ServerRequest, type Update } from "@callsign/api";
import { type Catalogue, formatInstant, type Hash, ledgerError, type Time } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { Bell } from "../bell.ts";
import { formatTopology } from "../events/format-topology.ts";
import { formatTransaction } from "../events/format-transaction.ts";
import { failWith, invalidArgument } from "../identifiers.ts";
import type { LedgerStore, StoredItem } from "../store/ledger-store.ts";
import { listItems } from "../store/list-items.ts";
import { readListLimit } from "./list-limit.ts";
import { readUpdateView, type UpdateView } from "./update-view.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listUpdates">;
type UpdatesRequest = ServerRequest<typeof ledgerApi.endpoints.listUpdates>["body"];

/** The longest that a caller is kept waiting. */
const MAX_WAIT_MILLISECONDS = 30_000;
/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;
const BATCH = 200;
/** How long a caller waits on when the ledger went on without them. */
const SETTLE_MILLISECONDS = 50;

export interface UpdateParts {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly participantId: string;
  readonly synchronizerId: () => string;
  /** Rings when there is more. */
  readonly advanced: Bell;
  /** The record time up to which everything has arrived here. */
  readonly recordTime: () => Time | undefined;
}

export function updateRoutes(parts: UpdateParts): Routes {
  const { ledger, catalogue, advanced } = parts;
  return {
    listUpdates: async ({ query, body }, { signal }) => {
      const view = readUpdateView(body, catalogue);
      const limit = readListLimit(query.limit);
      const wait = readWait(query.stream_idle_timeout_ms);
      checkRange(body, ledger.end);
      let until = AbortSignal.any([signal, AbortSignal.timeout(Math.max(wait, 1))]);
      const first = ledger.end;
      for (;;) {
        const end = body.endInclusive ?? ledger.end;
        const { updates, reached } = await collect(parts, view, {
          begin: body.beginExclusive,
          end,
          descending: body.descendingOrder,
          sought: limit.sought,
        });
        const enough = updates.length > 0 || body.endInclusive !== null || limit.sought === 0;
        const more = reached !== null && reached < end;
        if (enough || more || until.aborted) {
          const answer = limit.cut(updates);
          return answer.length > 0 && !more
            ? answer
            : [...answer, ...(await checkpoint(parts, body, reached))];
        }
        // Something came that is not the caller's: they are soon told how far that is, and ask on from there.
        if (end > first) until = AbortSignal.any([until, AbortSignal.timeout(SETTLE_MILLISECONDS)]);
        // What arrived while the list was made has rung already.
        if (ledger.end === end) await advanced.wait(wait, until);
      }
    },
  };
}

interface Range {
  readonly begin: number;
  readonly end: number;
  readonly descending: boolean;
  readonly sought: number;
}

/** `reached`: up to where everything was looked at; null if the list was full before, or is in descending order. */
async function collect(
  parts: UpdateParts,
  view: UpdateView,
  range: Range,
): Promise<{ readonly updates: readonly Update[]; readonly reached: number | null }> {
  const updates: Update[] = [];
  let { begin, end } = range;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += BATCH) {
    const items = await listItems(parts.ledger, {
      beginExclusive: begin,
      endInclusive: end,
      limit: BATCH,
      descending: range.descending,
      witnesses: view.witnesses,
      hostings: view.topology !== null,
    });
    for (const item of items) {
      if (updates.length >= range.sought) return { updates, reached: null };
      updates.push(...formatUpdate(parts, view, item));
    }
    const last = items.at(-1);
    if (items.length < BATCH || last === undefined) {
      return { updates, reached: range.descending ? null : range.end };
    }
    if (range.descending) end = last.offset - 1;
    else begin = last.offset;
  }
  return { updates, reached: range.descending ? null : begin };
}

function formatUpdate(parts: UpdateParts, view: UpdateView, item: StoredItem): readonly Update[] {
  const { catalogue, hash, participantId } = parts;
  const synchronizerId = parts.synchronizerId();
  const updates: Update[] = [];
  if (view.transactions !== null) {
    const transaction = formatTransaction(item, { catalogue, synchronizerId, ...view.transactions });
    if (transaction !== null) updates.push({ update: { Transaction: { value: transaction } } });
  }
  if (view.topology !== null) {
    const { parties } = view.topology;
    const topology = formatTopology(item, { hash, synchronizerId, participantId, parties });
    if (topology !== null) updates.push({ update: { TopologyTransaction: { value: topology } } });
  }
  return updates;
}

/**
 * Only for whoever reads on from here: a list up to a given end says its end by ending. At the ledger's end it tells
 * the network's record time, which goes on while nothing happens here.
 */
async function checkpoint(
  { ledger, synchronizerId, recordTime }: UpdateParts,
  { beginExclusive, endInclusive }: UpdatesRequest,
  reached: number | null,
): Promise<readonly Update[]> {
  if (reached === null || reached < beginExclusive || endInclusive !== null) return [];
  const atEnd = reached === ledger.end ? recordTime() : undefined;
  const time = atEnd ?? (await ledger.findRecordTime(reached));
  if (time === undefined) return [];
  const synchronizerTimes = [{ synchronizerId: synchronizerId(), recordTime: formatInstant(time) }];
  return [{ update: { OffsetCheckpoint: { value: { offset: reached, synchronizerTimes } } } }];
}

export function readWait(given: bigint | null): number {
  if (given === null) return LIST_WAIT_MILLISECONDS;
  if (given < 0n) throw invalidArgument(`stream_idle_timeout_ms must not be negative, unlike ${given}`);
  return given > MAX_WAIT_MILLISECONDS ? MAX_WAIT_MILLISECONDS : Number(given);
}

export function checkRange(
  {
    beginExclusive,
    endInclusive,
    descendingOrder,
  }: Pick<UpdatesRequest, "beginExclusive" | "endInclusive" | "descendingOrder">,
  end: number,
): void {
  if (beginExclusive < 0) {
    failWith(ledgerError("NEGATIVE_OFFSET", `Offset ${beginExclusive} in begin_exclusive is negative`));
  }
  if (endInclusive !== null && endInclusive <= 0) {
    failWith(ledgerError("NON_POSITIVE_OFFSET", `Offset ${endInclusive} in end_inclusive is not positive`));
  }
  checkKnown("Begin", beginExclusive, end);
  if (endInclusive === null) {
    if (descendingOrder) {
      const cause = "A list in descending order needs end_inclusive: there is no end to begin with";
      failWith(ledgerError("DESCENDING_ORDER_MISSING_END", cause));
    }
    return;
  }
  checkKnown("End", endInclusive, end);
  if (endInclusive < beginExclusive) {
    const cause = `End offset ${endInclusive} is before begin offset ${beginExclusive}`;
    failWith(ledgerError("OFFSET_OUT_OF_RANGE", cause));
  }
}

function checkKnown(what: string, offset: number, end: number): void {
  if (offset <= end) return;
  const cause = `${what} offset (${offset}) is after ledger end (${end})`;
  failWith(ledgerError("OFFSET_AFTER_LEDGER_END", cause, { resources: [["OFFSET", String(offset)]] }));
}
