/** Formats of the participant's updates and active contracts: the contracts of wallets, with their disclosures, or all. */
import type { EventFormat, Filters, UpdateFormat } from "@callsign/api";
import { walletTemplates } from "./wallet-contracts.ts";

/** The wallets' contracts that come and go, or everything that the parties see. */
export type UpdateShape = "acs-delta" | "ledger-effects";

export function formatOf(parties: readonly string[], shape: UpdateShape = "acs-delta"): UpdateFormat {
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

function everyEventOf(parties: readonly string[]): EventFormat {
  return eventsOf(parties, []);
}

export function eventFormatOf(
  parties: readonly string[],
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
export function everyContractOf(parties: readonly string[]): EventFormat {
  const identifierFilter = { WildcardFilter: { value: { includeCreatedEventBlob: true } } };
  return eventsOf(parties, [{ identifierFilter }]);
}

function eventsOf(parties: readonly string[], cumulative: Filters["cumulative"]): EventFormat {
  return {
    filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative }])),
    filtersForAnyParty: null,
    verbose: false,
  };
}
