/** Active contracts at an offset, page by page. */
import type { CreatedEvent, EventFormat } from "@callsign/api";
import { type AnyTemplateDeclaration, ledgerJson, type PartyId, type PayloadOf } from "@callsign/ledger";
import { LEDGER_PAGE } from "../limits/limits.ts";
import { eventFormatOf, type ReadingParties } from "./event-formats.ts";
import type { ParticipantClient } from "./participant-client.ts";
import { walletTemplates } from "./wallet-contracts.ts";

export interface ActiveQuery {
  readonly parties: ReadingParties;
  readonly templates?: readonly { readonly nameRef: string }[];
  readonly activeAtOffset: number;
}

/** The payloads of a template's active contracts that the party sees at the ledger's end, read page by page. */
export async function* listActivePayloads<T extends AnyTemplateDeclaration>(
  participant: ParticipantClient,
  party: PartyId,
  template: T,
): AsyncGenerator<PayloadOf<T>> {
  const query = { parties: [party], templates: [template], activeAtOffset: await participant.ledgerEnd() };
  for await (const page of listActive(participant, query))
    for (const { createArgument } of page)
      yield template.record.fromJson(createArgument, ledgerJson) as PayloadOf<T>;
}

export async function* listActive(
  participant: ParticipantClient,
  { parties, templates = walletTemplates, activeAtOffset }: ActiveQuery,
): AsyncGenerator<readonly CreatedEvent[]> {
  const query = { eventFormat: eventFormatOf(parties, templates), activeAtOffset };
  for await (const page of listActiveEntries(participant, query))
    yield page.map(({ createdEvent }) => createdEvent);
}

/** With the synchronizer of each. */
export async function* listActiveEntries(
  { client }: ParticipantClient,
  { eventFormat, activeAtOffset }: { readonly eventFormat: EventFormat; readonly activeAtOffset: number },
) {
  let streamContinuationToken: string | null = null;
  while (streamContinuationToken !== "") {
    const page: Awaited<ReturnType<typeof client.listActiveContracts>> = await client.listActiveContracts({
      query: { limit: BigInt(LEDGER_PAGE) },
      body: { activeAtOffset, eventFormat, streamContinuationToken },
    });
    yield page.flatMap(({ contractEntry }) =>
      "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract] : [],
    );
    streamContinuationToken = page.at(-1)?.streamContinuationToken ?? "";
  }
}
