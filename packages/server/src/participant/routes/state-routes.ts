/** The ledger's end, and the contracts that are active at an offset. */
import type { ActiveContract, EventFormat, ledgerApi } from "@callsign/api";
import { type Catalogue, type Hash, ledgerError } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import { type EventFilter, readEventFilter } from "../events/event-filter.ts";
import { formatCreated } from "../events/format-events.ts";
import { failWith, invalidArgument } from "../identifiers.ts";
import { listActiveContracts, type Selection } from "../store/active-contracts.ts";
import type { LedgerStore, StoredContract } from "../store/ledger-store.ts";
import { formatContinuation, parseContinuation } from "./continuation-token.ts";
import { readListLimit } from "./list-limit.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, Caller>,
  "getLedgerEnd" | "getLatestPrunedOffsets" | "listActiveContracts"
>;
type PartyFilters = Pick<EventFormat, "filtersByParty" | "filtersForAnyParty">;

export function stateRoutes(parts: {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly synchronizerId: () => string;
}): Routes {
  const { ledger, catalogue, hash, synchronizerId } = parts;
  return {
    getLedgerEnd: () => ({ offset: ledger.end }),
    getLatestPrunedOffsets: () => ({
      participantPrunedUpToInclusive: ledger.prunedUpTo,
      allDivulgedContractsPrunedUpToInclusive: ledger.prunedUpTo,
    }),
    listActiveContracts: async ({ query, body }) => {
      const format = chooseFormat(body.filter, body.eventFormat, body.verbose);
      const filter = readEventFilter(format, catalogue);
      const activeAt = readOffset(body.activeAtOffset, ledger.end);
      const request = hash(JSON.stringify([activeAt, format]));
      const after = readContinuation(body.streamContinuationToken, request);
      const limit = readListLimit(query.limit);
      const selections = listSelections(filter);
      const found = await listActiveContracts(ledger, { selections, activeAt, after, limit: limit.sought });
      return limit.cut(found).flatMap((stored) => {
        const createdEvent = formatActive(stored, filter, catalogue);
        if (createdEvent === null) return [];
        const active: ActiveContract = {
          workflowId: "",
          contractEntry: {
            JsActiveContract: { createdEvent, synchronizerId: synchronizerId(), reassignmentCounter: 0 },
          },
          streamContinuationToken: formatContinuation(request, stored.number),
        };
        return [active];
      });
    },
  };
}

/** The older form or the newer one, and never both. */
export function chooseFormat(
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
