/** Which active contracts a reader asked for, checked, and how they are shown. */
import type { ActiveContract, EventFormat, ledgerApi, ServerRequest } from "@callsign/api";
import { type Catalogue, type Hash, ledgerError } from "@callsign/ledger";
import { type EventFilter, readEventFilter } from "../events/event-filter.ts";
import { formatCreated } from "../events/format-events.ts";
import { failWith, invalidArgument } from "../identifiers.ts";
import type { Selection } from "../store/active-contracts.ts";
import type { LedgerStore, StoredContract } from "../store/ledger-store.ts";
import { formatContinuation, parseContinuation } from "./continuation-token.ts";

type ActiveRequest = ServerRequest<typeof ledgerApi.endpoints.listActiveContracts>["body"];
type PartyFilters = Pick<EventFormat, "filtersByParty" | "filtersForAnyParty">;

export interface ActiveParts {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly synchronizerId: () => string;
}

export interface ActiveView {
  readonly selections: readonly Selection[];
  readonly activeAt: number;
  /** Contracts with a higher number only. */
  readonly after: bigint;
  /** Null if the contract is none that was asked for. */
  readonly format: (stored: StoredContract) => ActiveContract | null;
}

export function readActiveView(body: ActiveRequest, parts: ActiveParts): ActiveView {
  const { ledger, catalogue, hash, synchronizerId } = parts;
  const format = chooseFormat(body.filter, body.eventFormat, body.verbose);
  const filter = readEventFilter(format, catalogue);
  const activeAt = readOffset(body.activeAtOffset, ledger.end);
  const request = hash(JSON.stringify([activeAt, format]));
  return {
    selections: listSelections(filter),
    activeAt,
    after: readContinuation(body.streamContinuationToken, request),
    format: (stored) => {
      const createdEvent = formatActive(stored, filter, catalogue);
      if (createdEvent === null) return null;
      return {
        workflowId: "",
        contractEntry: {
          JsActiveContract: { createdEvent, synchronizerId: synchronizerId(), reassignmentCounter: 0 },
        },
        streamContinuationToken: formatContinuation(request, stored.number),
      };
    },
  };
}

/** The older form or the newer one, and never both. */
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
    return failWith(ledgerError("NEGATIVE_OFFSET", `Offset ${offset} in active_at_offset is negative`));
  }
  if (offset > end) {
    const cause = `active_at_offset (${offset}) is after ledger end (${end})`;
    return failWith(
      ledgerError("OFFSET_AFTER_LEDGER_END", cause, { resources: [["OFFSET", String(offset)]] }),
    );
  }
  return offset;
}

function readContinuation(token: string | null, request: string): bigint {
  if (token === null || token === "") return -1n;
  const after = parseContinuation(request, token);
  if (after !== undefined) return after;
  const cause = "The continuation token is not one of this request: repeat the request it came with";
  return failWith(ledgerError("INVALID_CONTINUATION_TOKEN", cause));
}

function listSelections(filter: EventFilter): readonly Selection[] {
  const select = (party: string | null): readonly Selection[] => {
    const templates = filter.templatesFor(party);
    if (templates === null) return [{ party, templateId: null }];
    return templates.map((templateId) => ({ party, templateId }));
  };
  return [...(filter.hasAnyParty ? select(null) : []), ...filter.named.flatMap(select)];
}

function formatActive(stored: StoredContract, filter: EventFilter, catalogue: Catalogue) {
  const witnesses = filter.witnesses(stored.stakeholders);
  const extras = filter.match(stored.contract.templateId, witnesses);
  if (extras === undefined) return null;
  return formatCreated(catalogue, { ...stored, witnesses, acsDelta: true }, extras);
}
