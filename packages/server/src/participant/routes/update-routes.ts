/**
 * Updates as a list. What there is, is answered at once; a caller who is up to date is kept waiting for the next one,
 * as long as they said. Where the list had to look at much that did not concern the caller, or there was nothing, an
 * offset checkpoint says from where to go on.
 */
import type { ledgerApi, ServerRequest, Update } from "@callsign/api";
import { type Catalogue, type Hash, ledgerError, type Time } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import type { Bell } from "../bell.ts";
import { formatTopology } from "../events/format-topology.ts";
import { formatTransaction } from "../events/format-transaction.ts";
import { failWith } from "../identifiers.ts";
import type { LedgerStore, StoredItem } from "../store/ledger-store.ts";
import { listItems } from "../store/list-items.ts";
import {
  type Collected,
  checkBegin,
  checkKnown,
  listAndWait,
  makeCheckpoint,
  readWait,
} from "./list-and-wait.ts";
import { readListLimit } from "./list-limit.ts";
import { readUpdateView, type UpdateView } from "./update-view.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listUpdates">;
type UpdatesRequest = ServerRequest<typeof ledgerApi.endpoints.listUpdates>["body"];

/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;
const BATCH = 200;

export interface UpdateParts {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly participantId: string;
  readonly synchronizerId: () => string;
  /** Rings when there is more. */
  readonly advanced: Bell;
  readonly waiting: UserQuota;
  /** The record time up to which everything has arrived here. */
  readonly recordTime: () => Time | undefined;
}

export function updateRoutes(parts: UpdateParts): Routes {
  const { ledger, catalogue, advanced, waiting } = parts;
  return {
    listUpdates: async ({ query, body }, { caller, signal }) => {
      const view = readUpdateView(body, catalogue);
      const limit = readListLimit(query.limit);
      const wait = readWait(query.stream_idle_timeout_ms);
      checkRange(body, ledger.end);
      const { beginExclusive: begin, endInclusive, descendingOrder: descending } = body;
      const { sought } = limit;
      const { found, reached, isCut } = await listAndWait({
        ...{ ledger, advanced, waiting, signal, userId: caller.userId, wait, endInclusive, sought },
        collect: (end) => collect(parts, view, { begin, end, descending, sought }),
      });
      const answer = limit.cut(found);
      if (answer.length > 0 && !isCut) return answer;
      return [...answer, ...(await checkpoint(parts, body, reached))];
    },
  };
}

interface Range {
  readonly begin: number;
  readonly end: number;
  readonly descending: boolean;
  readonly sought: number;
}

async function collect(parts: UpdateParts, view: UpdateView, range: Range): Promise<Collected<Update>> {
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
      if (updates.length >= range.sought) return { found: updates, reached: null };
      updates.push(...formatUpdate(parts, view, item));
    }
    const last = items.at(-1);
    if (items.length < BATCH || last === undefined) {
      return { found: updates, reached: range.descending ? null : range.end };
    }
    if (range.descending) end = last.offset - 1;
    else begin = last.offset;
  }
  return { found: updates, reached: range.descending ? null : begin };
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

async function checkpoint(
  parts: UpdateParts,
  { beginExclusive, endInclusive }: UpdatesRequest,
  reached: number | null,
): Promise<readonly Update[]> {
  if (endInclusive !== null) return [];
  const value = await makeCheckpoint(parts, beginExclusive, reached);
  return value === null ? [] : [{ update: { OffsetCheckpoint: { value } } }];
}

function checkRange(
  {
    beginExclusive,
    endInclusive,
    descendingOrder,
  }: Pick<UpdatesRequest, "beginExclusive" | "endInclusive" | "descendingOrder">,
  end: number,
): void {
  if (beginExclusive < 0) checkBegin(beginExclusive, end);
  if (endInclusive !== null && endInclusive <= 0) {
    failWith(ledgerError("NON_POSITIVE_OFFSET", `Offset ${endInclusive} in end_inclusive is not positive`));
  }
  checkBegin(beginExclusive, end);
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
