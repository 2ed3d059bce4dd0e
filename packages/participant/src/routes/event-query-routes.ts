/** The create and the archive of one contract, as the reader's parties see them. */
import { readEventFilter } from "../events/event-filter.ts";
import { formatArchived, formatCreated, listStakeholders } from "../events/format-events.ts";
import { failWith, missingField, needContractId } from "../requests/identifiers.ts";
import type { StoredContract } from "../store/ledger-store.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

export function eventQueryRoutes(parts: Pick<LedgerApiParts, "ledger" | "catalogue" | "synchronizerId">) {
  const { ledger, catalogue, synchronizerId } = parts;
  return {
    getEventsByContractId: async ({ body }) => {
      const { eventFormat } = body;
      const contractId = needContractId(body.contractId);
      if (eventFormat === null) throw missingField("event_format");
      const filter = readEventFilter(eventFormat, catalogue);
      const stored = (await ledger.findContract(contractId)) ?? notFound(contractId);
      const witnesses = filter.witnesses(listStakeholders(stored));
      const extras = filter.match(stored.contract.templateId, witnesses) ?? notFound(contractId);
      const synchronizer = synchronizerId();
      const facts = { ...stored, witnesses, acsDelta: stored.activated };
      const archive = archiveOf(stored, witnesses);
      return {
        created: {
          createdEvent: formatCreated(catalogue, facts, extras),
          synchronizerId: synchronizer,
        },
        archived:
          archive === null
            ? null
            : { archivedEvent: formatArchived(catalogue, archive, extras), synchronizerId: synchronizer },
      };
    },
  } satisfies Partial<LedgerHandlers>;
}

function archiveOf({ contract, archived }: StoredContract, witnesses: readonly string[]) {
  if (archived === null) return null;
  const { contractId, templateId } = contract;
  return { ...archived, contractId, templateId, witnesses };
}

function notFound(contractId: string): never {
  return failWith("CONTRACT_EVENTS_NOT_FOUND", "Contract events not found, or not visible.", {
    resources: [["CONTRACT_ID", contractId]],
  });
}
