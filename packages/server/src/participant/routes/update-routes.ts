/**
 * Updates as a list. What there is, is answered at once; a caller who is up to date is kept waiting for the next one,
 * as long as they said. Where the list had to look at much that did not concern the caller, or there was nothing, an
 * offset checkpoint says from where to go on.
 */
import type { ledgerApi, ServerRequest, Update } from "@callsign/api";
import type { Time } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import type { Bell } from "../bell.ts";
import { type FormatUpdateParts, formatUpdate, type UpdateView } from "../events/format-update.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import { listItems } from "../store/list-items.ts";
import { type Collected, listAndWait, makeCheckpoint, readWait } from "./list-and-wait.ts";
import { readListLimit } from "./list-limit.ts";
import { checkRange } from "./offset-range.ts";
import { readUpdateView } from "./update-view.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listUpdates">;
type UpdatesRequest = ServerRequest<typeof ledgerApi.endpoints.listUpdates>["body"];

/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;
const BATCH = 200;

export interface UpdateParts extends FormatUpdateParts {
  readonly ledger: LedgerStore;
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

async function checkpoint(
  parts: UpdateParts,
  { beginExclusive, endInclusive }: UpdatesRequest,
  reached: number | null,
): Promise<readonly Update[]> {
  if (endInclusive !== null) return [];
  const value = await makeCheckpoint(parts, beginExclusive, reached);
  return value === null ? [] : [{ update: { OffsetCheckpoint: { value } } }];
}
