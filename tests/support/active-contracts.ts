/** The contracts of a template that a party sees, as its participant's JSON Ledger API lists them. */
import type { Client } from "../../packages/api/src/client.ts";
import type { ledgerApi } from "../../packages/api/src/ledger/api.ts";

export async function listActiveContracts(
  client: Client<typeof ledgerApi.endpoints>,
  party: string,
  templateId: string,
) {
  const { offset } = await client.getLedgerEnd();
  const identifierFilter = { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } };
  const filters = { cumulative: [{ identifierFilter }] };
  const eventFormat = { filtersByParty: { [party]: filters }, verbose: false };
  const contracts: { readonly contractId: string; readonly argument: unknown }[] = [];
  let pageToken: string | null = null;
  do {
    const body = { activeAtOffset: offset, eventFormat, pageToken };
    const { activeContracts, nextPageToken } = await client.getActiveContractsPage({ body });
    for (const { contractEntry } of activeContracts) {
      if (!("JsActiveContract" in contractEntry)) continue;
      const { contractId, createArgument } = contractEntry.JsActiveContract.createdEvent;
      contracts.push({ contractId, argument: createArgument });
    }
    pageToken = nextPageToken ?? null;
  } while (pageToken !== null && pageToken !== "");
  return contracts;
}
