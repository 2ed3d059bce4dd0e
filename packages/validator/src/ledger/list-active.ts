/** Active contracts at an offset, page by page. */
import type { CreatedEvent } from "@callsign/api";
import { LEDGER_PAGE } from "../limits/limits.ts";
import { eventFormatOf } from "./event-formats.ts";
import type { ParticipantClient } from "./participant-client.ts";
import { walletTemplates } from "./wallet-contracts.ts";

export interface ActiveQuery {
  readonly parties: readonly string[];
  readonly templates?: readonly { readonly nameRef: string }[];
  readonly activeAtOffset: number;
}

export async function* listActive(
  { client }: ParticipantClient,
  { parties, templates = walletTemplates, activeAtOffset }: ActiveQuery,
): AsyncGenerator<readonly CreatedEvent[]> {
  const eventFormat = eventFormatOf(parties, templates);
  let streamContinuationToken: string | null = null;
  while (streamContinuationToken !== "") {
    const page: Awaited<ReturnType<typeof client.listActiveContracts>> = await client.listActiveContracts({
      query: { limit: BigInt(LEDGER_PAGE) },
      body: { activeAtOffset, eventFormat, streamContinuationToken },
    });
    yield page.flatMap(({ contractEntry }) =>
      "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent] : [],
    );
    streamContinuationToken = page.at(-1)?.streamContinuationToken ?? "";
  }
}
