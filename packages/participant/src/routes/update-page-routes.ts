/**
 * Updates page by page. A page has all updates between its two offsets. In ascending order, the last page of a range
 * without an end has a token too: it continues with the updates stored since.
 */
import {
  DEFAULT_UPDATES_PAGE_SIZE,
  type ledgerApi,
  MAX_UPDATES_PAGE_SIZE,
  type ResponseOf,
  type ServerRequest,
  type Update,
} from "@callsign/api";
import { formatUpdate, type UpdateView } from "../events/format-update.ts";
import { type CollectedItems, collectItems } from "../reads/collect-items.ts";
import { formatContinuation, parseContinuation } from "../reads/continuation-token.ts";
import { type ReaderParts, updateReader } from "../reads/ledger-reader.ts";
import { checkRange } from "../reads/offset-range.ts";
import { readPageSize } from "../reads/page-size.ts";
import { readUpdateFormat } from "../reads/update-view.ts";
import { failWith, missingField } from "../requests/identifiers.ts";
import { checkNotPruned } from "../store/check-not-pruned.ts";
import type { StoredItem } from "../store/stored-item.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

type PageRequest = ServerRequest<typeof ledgerApi.endpoints.getUpdatesPage>["body"];
type Page = ResponseOf<typeof ledgerApi.endpoints.getUpdatesPage>;

type PageParts = ReaderParts & Pick<LedgerApiParts, "hash" | "host">;

/** The updates of one offset, which are never split between two pages. */
interface Group {
  readonly offset: number;
  readonly updates: readonly Update[];
}

interface Bounds {
  readonly begin: number;
  readonly end: number;
}

export function updatePageRoutes(parts: PageParts) {
  return {
    getUpdatesPage: async ({ body }, { signal }) => {
      const { updateFormat, descendingOrder: descending } = body;
      if (updateFormat === null) throw missingField("update_format");
      const view = readUpdateFormat(updateFormat, parts.catalogue);
      const size = readPageSize(body.maxPageSize, {
        usual: DEFAULT_UPDATES_PAGE_SIZE,
        most: MAX_UPDATES_PAGE_SIZE,
      });
      const request = hashRequest(parts, body);
      const bounds = readBounds(parts, body, readPosition(body.pageToken, request, parts.ledger.end));
      // One update more than the page holds tells whether there is another page.
      const range = { ...bounds, descending, sought: size + 1, signal };
      const { list } = updateReader(parts, view);
      const reader = { list, format: (item: StoredItem) => groupOf(parts, view, item) };
      const found = await collectItems(parts.host, reader, range);
      return makePage(body, { size, bounds, found, request });
    },
  } satisfies Partial<LedgerHandlers>;
}

function groupOf(parts: PageParts, view: UpdateView, item: StoredItem): readonly Group[] {
  const updates = formatUpdate(parts, view, item);
  return updates.length === 0 ? [] : [{ offset: item.offset, updates }];
}

function hashRequest({ hash, participantId }: PageParts, body: PageRequest): string {
  const { beginOffsetExclusive, endOffsetInclusive, updateFormat, descendingOrder } = body;
  const request = [beginOffsetExclusive, endOffsetInclusive, updateFormat, descendingOrder];
  return hash(JSON.stringify(["updates-page", participantId, ...request]));
}

function readPosition(token: string | null, request: string, end: number): number | null {
  if (token === null || token === "") return null;
  const [position] = parseContinuation(request, token, 1) ?? [];
  if (position !== undefined && position <= end) return Number(position);
  const cause = "The page token is not one of this request: repeat the request it came with";
  return failWith("INVALID_UPDATES_PAGE_TOKEN", cause);
}

/** An omitted begin is the pruned offset, an omitted end the ledger's end. */
function readBounds({ ledger }: PageParts, body: PageRequest, position: number | null): Bounds {
  const { beginOffsetExclusive, endOffsetInclusive, descendingOrder } = body;
  const asked = { beginExclusive: beginOffsetExclusive ?? 0, endInclusive: endOffsetInclusive };
  checkRange({ ...asked, descendingOrder: false }, ledger.end);
  const lowest = beginOffsetExclusive ?? ledger.prunedUpTo;
  const highest = endOffsetInclusive ?? ledger.end;
  if (beginOffsetExclusive === null && position === null) checkNotPruned(ledger, highest);
  if (!descendingOrder) return { begin: position ?? lowest, end: highest };
  // Updates pruned since the page before are gone.
  return { begin: lowest, end: Math.max(position ?? highest, lowest) };
}

interface Outcome {
  readonly size: number;
  readonly bounds: Bounds;
  readonly found: CollectedItems<Group>;
  readonly request: string;
}

function makePage(body: PageRequest, { size, bounds, found: { found, rest }, request }: Outcome): Page {
  const groups = fill(found, size);
  const [last, isFull] = [groups.at(-1), groups.length < found.length];
  const updates = groups.flatMap((group) => group.updates);
  if (body.descendingOrder) {
    const lowest = isFull && last !== undefined ? last.offset - 1 : (rest ?? bounds.begin);
    return {
      updates,
      lowestPageOffsetExclusive: lowest,
      highestPageOffsetInclusive: bounds.end,
      nextPageToken: lowest > bounds.begin ? formatContinuation(request, BigInt(lowest)) : null,
    };
  }
  const highest = isFull && last !== undefined ? last.offset : (rest ?? bounds.end);
  const goesOn = highest < bounds.end || body.endOffsetInclusive === null;
  return {
    updates,
    lowestPageOffsetExclusive: bounds.begin,
    highestPageOffsetInclusive: highest,
    nextPageToken: goesOn ? formatContinuation(request, BigInt(highest)) : null,
  };
}

/** As many groups as the page holds, and at least one. */
function fill(groups: readonly Group[], size: number): readonly Group[] {
  let taken = 0;
  const isOver = groups.findIndex(({ updates }, index) => {
    taken += updates.length;
    return index > 0 && taken > size;
  });
  return isOver < 0 ? groups : groups.slice(0, isOver);
}
