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
  const active = await client.listActiveContracts({
    body: { activeAtOffset: offset, eventFormat: { filtersByParty: { [party]: filters }, verbose: false } },
  });
  return active.flatMap(({ contractEntry }) => {
    if (!("JsActiveContract" in contractEntry)) return [];
    const { contractId, createArgument } = contractEntry.JsActiveContract.createdEvent;
    return [{ contractId, argument: createArgument }];
  });
}
