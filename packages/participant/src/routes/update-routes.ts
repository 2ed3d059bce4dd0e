/**
 * Updates as a list. Existing updates are answered at once; a caller that is up to date waits for the next one. A list that
 * is empty or was cut short ends with an offset checkpoint, from which the caller can continue.
 */
import type { ledgerApi, ServerRequest } from "@callsign/api";
import type { Time } from "@callsign/ledger";
import type { Bell, Call, Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import { makeCheckpoint } from "../reads/checkpoint.ts";
import {
  type CollectUpdatesParts,
  collectTrees,
  collectUpdates,
  type UpdateRange,
} from "../reads/collect-updates.ts";
import { type Collected, listAndWait, readWait } from "../reads/list-and-wait.ts";
import { readListLimit } from "../reads/list-limit.ts";
import { checkRange } from "../reads/offset-range.ts";
import { readUpdateView } from "../reads/update-view.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, LedgerCaller>,
  "listUpdates" | "listFlatUpdates" | "listTransactionTrees"
>;
type UpdatesRequest = ServerRequest<typeof ledgerApi.endpoints.listUpdates>;

export interface UpdateParts extends CollectUpdatesParts {
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly waiting: UserQuota;
  /** The record time up to which everything is on disk. */
  readonly recordTime: () => Time | undefined;
}

export function updateRoutes(parts: UpdateParts): Routes {
  const { catalogue } = parts;
  const listUpdates: Routes["listUpdates"] = (request, call) => {
    const view = readUpdateView(request.body, catalogue);
    return list(parts, request, call, (range) => collectUpdates(parts, view, range));
  };
  return {
    listUpdates,
    listFlatUpdates: listUpdates,
    listTransactionTrees: (request, call) => {
      const view = { ...readUpdateView(request.body, catalogue, "ledger-effects"), topology: null };
      return list(parts, request, call, (range) => collectTrees(parts, view, range));
    },
  };
}

type Checkpoint = Awaited<ReturnType<typeof checkpoint>>[number];

async function list<T>(
  parts: UpdateParts,
  { query, body }: UpdatesRequest,
  { caller, signal }: Call<LedgerCaller>,
  collect: (range: UpdateRange) => Promise<Collected<T>>,
): Promise<(T | Checkpoint)[]> {
  const { host, ledger, advanced, waiting } = parts;
  const limit = readListLimit(query.limit);
  const wait = readWait(query.stream_idle_timeout_ms);
  checkRange(body, ledger.end);
  const { beginExclusive: begin, endInclusive, descendingOrder: descending } = body;
  const { sought } = limit;
  // A list with an end is complete; one without ends with a checkpoint.
  const isWhole = endInclusive !== null;
  const { found, reached, isCut } = await listAndWait({
    ...{
      clock: host.clock,
      ledger,
      advanced,
      waiting,
      signal,
      userId: caller.userId,
      wait,
      endInclusive,
      sought,
    },
    collect: (end) => collect({ begin, end, descending, sought, isWhole, signal }),
  });
  const answer = limit.cut(found);
  if (answer.length > 0 && !isCut) return answer;
  return [...answer, ...(await checkpoint(parts, body, reached))];
}

async function checkpoint(
  parts: UpdateParts,
  { beginExclusive, endInclusive }: UpdatesRequest["body"],
  reached: number | null,
) {
  if (endInclusive !== null) return [];
  const value = await makeCheckpoint(parts, beginExclusive, reached);
  return value === null ? [] : [{ update: { OffsetCheckpoint: { value } } }];
}
