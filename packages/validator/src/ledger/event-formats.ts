/** Formats of the participant's updates and active contracts: the contracts of wallets, with their disclosures, or all. */
import type { EventFormat, Filters, UpdateFormat } from "@callsign/api";
import { MAX_NAMED_PARTIES } from "../limits/limits.ts";
import { walletTemplates } from "./wallet-contracts.ts";

/** The wallets' contracts that come and go, or everything that the parties see. */
export type UpdateShape = "acs-delta" | "ledger-effects";

/** Null for every party that the participant hosts; it takes the right to read as any party. */
export type ReadingParties = readonly string[] | null;

/** A request names each party with all its filters: for many parties it would be long. The reader leaves out the others' events. */
export function namedIfFew(parties: ReadonlySet<string>): ReadingParties {
  return parties.size <= MAX_NAMED_PARTIES ? [...parties] : null;
}

export function formatOf(parties: ReadingParties, shape: UpdateShape = "acs-delta"): UpdateFormat {
  const isDelta = shape === "acs-delta";
  return {
    includeTransactions: {
      eventFormat: isDelta ? eventFormatOf(parties) : everyEventOf(parties),
      transactionShape: isDelta ? "TRANSACTION_SHAPE_ACS_DELTA" : "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    },
    includeReassignments: null,
    includeTopologyEvents: null,
  };
}

function everyEventOf(parties: ReadingParties): EventFormat {
  return eventsOf(parties, []);
}

export function eventFormatOf(
  parties: ReadingParties,
  templates: readonly { readonly nameRef: string }[] = walletTemplates,
): EventFormat {
  const cumulative = templates.map(({ nameRef }) => ({
    identifierFilter: { TemplateFilter: { value: { templateId: nameRef, includeCreatedEventBlob: true } } },
  }));
  return eventsOf(parties, cumulative);
}

/** The views of an interface, with the contracts' disclosures. */
export function viewFormatOf(party: string, { nameRef }: { readonly nameRef: string }): EventFormat {
  const value = { interfaceId: nameRef, includeInterfaceView: true, includeCreatedEventBlob: true };
  return eventsOf([party], [{ identifierFilter: { InterfaceFilter: { value } } }]);
}

/** The contracts of every template, with their disclosures. */
export function everyContractOf(parties: ReadingParties): EventFormat {
  const identifierFilter = { WildcardFilter: { value: { includeCreatedEventBlob: true } } };
  return eventsOf(parties, [{ identifierFilter }]);
}

function eventsOf(parties: ReadingParties, cumulative: Filters["cumulative"]): EventFormat {
  return {
    filtersByParty: Object.fromEntries((parties ?? []).map((party) => [party, { cumulative }])),
    filtersForAnyParty: parties === null ? { cumulative } : null,
    verbose: false,
  };
}
