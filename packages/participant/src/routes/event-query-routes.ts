/** The create and the archive of one contract, as the reader's parties see them. */
import type { ledgerApi } from "@callsign/api";
import { type Catalogue, ledgerError } from "@callsign/ledger";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { readEventFilter } from "../events/event-filter.ts";
import { formatArchived, formatCreated, listStakeholders } from "../events/format-events.ts";
import { failWith, missingField, needContractId } from "../requests/identifiers.ts";
import type { LedgerStore, StoredContract } from "../store/ledger-store.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, LedgerCaller>, "getEventsByContractId">;

export function eventQueryRoutes(parts: {
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly synchronizerId: () => string;
}): Routes {
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
  };
}

function archiveOf({ contract, archived }: StoredContract, witnesses: readonly string[]) {
  if (archived === null) return null;
  const { contractId, templateId } = contract;
  return { ...archived, contractId, templateId, witnesses };
}

function notFound(contractId: string): never {
  return failWith(
    ledgerError("CONTRACT_EVENTS_NOT_FOUND", "Contract events not found, or not visible.", {
      resources: [["CONTRACT_ID", contractId]],
    }),
  );
}
