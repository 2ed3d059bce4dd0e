/** The ledger API's streams. Requests and errors are those of the lists; the limits of lists do not apply. */
import type { ledgerApi } from "@callsign/api";
import type { StreamParts, Streams } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { type ActiveParts, readActiveView } from "../reads/active-view.ts";
import { readCompletionView, readPartyCompletionView } from "../reads/completion-view.ts";
import { completionReader, type ReaderParts, treeReader, updateReader } from "../reads/ledger-reader.ts";
import { openRange } from "../reads/offset-range.ts";
import { readUpdateView } from "../reads/update-view.ts";
import { streamActiveContracts } from "./active-stream.ts";
import { type FollowRangeParts, followRange } from "./follow-range.ts";
import { type StreamAccessParts, streamAccess } from "./stream-access.ts";

type Endpoints = typeof ledgerApi.endpoints;
type LedgerStreams = Streams<Endpoints, LedgerCaller>;
type LedgerStreamParts = FollowRangeParts & ActiveParts & ReaderParts & StreamAccessParts;

export function ledgerStreams(parts: LedgerStreamParts): StreamParts<Endpoints, LedgerCaller, LedgerCaller> {
  const listUpdates: LedgerStreams["listUpdates"] = ({ body }, { signal }) =>
    followRange(parts, updateReader(parts, readUpdateView(body, parts.catalogue)), body, signal);
  const open: LedgerStreams = {
    listUpdates,
    listFlatUpdates: listUpdates,
    listTransactionTrees: ({ body }, { signal }) =>
      followRange(
        parts,
        treeReader(parts, readUpdateView(body, parts.catalogue, "ledger-effects")),
        body,
        signal,
      ),
    listCompletions: ({ body }, { caller, signal }) => {
      const reader = completionReader(parts, readCompletionView(body, caller));
      return followRange(parts, reader, openRange(body), signal);
    },
    listCompletionsOfParties: ({ body }, { signal }) => {
      const reader = completionReader(parts, readPartyCompletionView(body));
      return followRange(parts, reader, openRange(body), signal);
    },
    listActiveContracts: ({ body }, { signal }) =>
      streamActiveContracts(parts, readActiveView(body, parts), signal),
  };
  return { open, ...streamAccess(parts) };
}
