/** Formats of the participant's updates and active contracts: the contracts of wallets, with their disclosures. */
import type { EventFormat, UpdateFormat } from "@callsign/api";
import { walletTemplates } from "./wallet-contracts.ts";

export function formatOf(parties: readonly string[]): UpdateFormat {
  return {
    includeTransactions: {
      eventFormat: eventFormatOf(parties),
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
    },
    includeReassignments: null,
    includeTopologyEvents: null,
  };
}

export function eventFormatOf(
  parties: readonly string[],
  templates: readonly { readonly nameRef: string }[] = walletTemplates,
): EventFormat {
  const cumulative = templates.map(({ nameRef }) => ({
    identifierFilter: { TemplateFilter: { value: { templateId: nameRef, includeCreatedEventBlob: true } } },
  }));
  return {
    filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative }])),
    filtersForAnyParty: null,
    verbose: false,
  };
}
