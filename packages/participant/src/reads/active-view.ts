/** Reads and checks a request for active contracts, and formats them. */
import {
  type ActiveContract,
  DEFAULT_ACS_PAGE_SIZE,
  type EventFormat,
  type ledgerApi,
  MAX_ACS_PAGE_SIZE,
  type ServerRequest,
} from "@callsign/api";
import type { Catalogue, Hash } from "@callsign/ledger";
import { type EventFilter, readEventFilter } from "../events/event-filter.ts";
import { formatCreated, listStakeholders } from "../events/format-events.ts";
import { failWith, invalidArgument, missingField } from "../requests/identifiers.ts";
import type { ContractSelection, StoredActive } from "../store/active-contracts.ts";
import type { LedgerStore, StoredContract } from "../store/ledger-store.ts";
import { formatContinuation, parseContinuation } from "./continuation-token.ts";
import { readPageSize } from "./page-size.ts";

type ActiveRequest = ServerRequest<typeof ledgerApi.endpoints.listActiveContracts>["body"];
type ActivePageRequest = ServerRequest<typeof ledgerApi.endpoints.getActiveContractsPage>["body"];
type PartyFilters = Pick<EventFormat, "filtersByParty" | "filtersForAnyParty">;

export interface ActiveParts {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly participantId: string;
  readonly synchronizerId: () => string;
}

export interface ActiveView {
  readonly selections: readonly ContractSelection[];
  readonly activeAt: number;
  /** Contracts with a higher number only. */
  readonly after: bigint;
  /** Null if the contract was not asked for. */
  readonly format: (stored: StoredActive) => ActiveContract | null;
}

export interface ActivePageView extends ActiveView {
  readonly size: number;
  /** The token of the next page, if this is the last contract of a page. */
  readonly tokenBehind: (stored: StoredContract) => string;
}

export function readActiveView(body: ActiveRequest, parts: ActiveParts): ActiveView {
  const { ledger, catalogue, hash, participantId } = parts;
  const format = chooseFormat(body.filter, body.eventFormat, body.verbose);
  const filter = readEventFilter(format, catalogue);
  const activeAt = readOffset(body.activeAtOffset, ledger.end);
  const request = hash(JSON.stringify(["active-contracts", participantId, activeAt, format]));
  return {
    selections: listSelections(filter),
    activeAt,
    after: readContinuation(body.streamContinuationToken, request),
    format: (stored) => {
      const active = formatActive(stored, filter, parts);
      if (active === null) return null;
      return { ...active, streamContinuationToken: formatContinuation(request, stored.number) };
    },
  };
}

/** Pages have tokens of their own, and their items have none. */
export function readActivePageView(body: ActivePageRequest, parts: ActiveParts): ActivePageView {
  const { ledger, catalogue, hash, participantId } = parts;
  const { eventFormat, pageToken } = body;
  if (eventFormat === null) throw missingField("event_format");
  const filter = readEventFilter(eventFormat, catalogue);
  const size = readPageSize(body.maxPageSize, {
    usual: DEFAULT_ACS_PAGE_SIZE,
    most: MAX_ACS_PAGE_SIZE,
  });
  const asked = body.activeAtOffset === null ? null : readOffset(body.activeAtOffset, ledger.end);
  const request = hash(JSON.stringify(["active-contracts-page", participantId, eventFormat]));
  const { activeAt, after } = readPageToken(pageToken, request, asked) ?? {
    activeAt: asked ?? ledger.end,
    after: -1n,
  };
  return {
    selections: listSelections(filter),
    activeAt: readOffset(activeAt, ledger.end),
    after,
    size,
    format: (stored) => formatActive(stored, filter, parts),
    tokenBehind: (stored) => formatContinuation(request, BigInt(activeAt), stored.number),
  };
}

/** Without an offset in the request, the token's offset counts: that of the first page. */
function readPageToken(token: string | null, request: string, asked: number | null) {
  if (token === null || token === "") return null;
  const [activeAt, after] = parseContinuation(request, token, 2) ?? [];
  if (activeAt !== undefined && after !== undefined && (asked === null || BigInt(asked) === activeAt)) {
    return { activeAt: Number(activeAt), after };
  }
  const cause =
    "The page token is not one of this request: repeat the request it came with, with the same offset";
  return failWith("INVALID_ACS_PAGE_TOKEN", cause);
}

/** The older form or the newer one, but not both. */
function chooseFormat(
  filter: PartyFilters | null,
  eventFormat: PartyFilters | null,
  verbose: boolean,
): PartyFilters {
  if (filter !== null && eventFormat !== null) {
    throw invalidArgument("Both event_format and filter are set: please use event_format only");
  }
  if (eventFormat !== null && verbose) {
    throw invalidArgument("Both event_format and verbose are set: please use event_format only");
  }
  const format = eventFormat ?? filter;
  if (format === null) throw invalidArgument("Either filter and verbose or event_format must be set");
  return format;
}

function readOffset(offset: number, end: number): number {
  if (offset < 0) {
    return failWith("NEGATIVE_OFFSET", `Offset ${offset} in active_at_offset is negative`);
  }
  if (offset > end) {
    const cause = `active_at_offset (${offset}) is after ledger end (${end})`;
    return failWith("OFFSET_AFTER_LEDGER_END", cause, { resources: [["OFFSET", String(offset)]] });
  }
  return offset;
}

function readContinuation(token: string | null, request: string): bigint {
  if (token === null || token === "") return -1n;
  const [after] = parseContinuation(request, token, 1) ?? [];
  if (after !== undefined) return after;
  const cause = "The continuation token is not one of this request: repeat the request it came with";
  return failWith("INVALID_CONTINUATION_TOKEN", cause);
}

function listSelections(filter: EventFilter): readonly ContractSelection[] {
  const select = (party: string | null): readonly ContractSelection[] => {
    const templates = filter.templatesFor(party);
    if (templates === null) return [{ party, templateId: null }];
    return templates.map((templateId) => ({ party, templateId }));
  };
  return [...(filter.hasAnyParty ? select(null) : []), ...filter.named.flatMap(select)];
}

function formatActive(
  stored: StoredActive,
  filter: EventFilter,
  { catalogue, synchronizerId }: ActiveParts,
): ActiveContract | null {
  const witnesses = filter.witnesses(listStakeholders(stored));
  const extras = filter.match(stored.contract.templateId, witnesses);
  if (extras === undefined) return null;
  const createdEvent = formatCreated(catalogue, { ...stored, witnesses, acsDelta: true }, extras);
  return {
    workflowId: stored.workflowId,
    contractEntry: {
      JsActiveContract: { createdEvent, synchronizerId: synchronizerId(), reassignmentCounter: 0 },
    },
    streamContinuationToken: "",
  };
}
