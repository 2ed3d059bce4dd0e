/** Active contracts at an offset, page by page. */
import type { CreatedEvent } from "@callsign/api";
import type { Participant } from "./participant.ts";
import { walletTemplates } from "./wallet-contracts.ts";
import { eventFormatOf } from "./wallet-format.ts";

export interface ActiveQuery {
  readonly parties: readonly string[];
  readonly templates?: readonly { readonly nameRef: string }[];
  readonly activeAtOffset: number;
}

const PAGE = 200n;

export async function* listActive(
  { client }: Participant,
  { parties, templates = walletTemplates, activeAtOffset }: ActiveQuery,
): AsyncGenerator<readonly CreatedEvent[]> {
  const eventFormat = eventFormatOf(parties, templates);
  let streamContinuationToken: string | null = null;
  while (streamContinuationToken !== "") {
    const page: Awaited<ReturnType<typeof client.listActiveContracts>> = await client.listActiveContracts({
      query: { limit: PAGE },
      body: { activeAtOffset, eventFormat, streamContinuationToken },
    });
    yield page.flatMap(({ contractEntry }) =>
      "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent] : [],
    );
    streamContinuationToken = page.at(-1)?.streamContinuationToken ?? "";
  }
}
