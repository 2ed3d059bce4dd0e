/** Updates, transaction trees and completions as lists that wait for the next item. */
import { readCompletionView, readPartyCompletionView } from "../reads/completion-view.ts";
import { completionReader, type ReaderParts, treeReader, updateReader } from "../reads/ledger-reader.ts";
import { type ListParts, listAndWait } from "../reads/list-and-wait.ts";
import { checkBegin, openRange } from "../reads/offset-range.ts";
import { readUpdateView } from "../reads/update-view.ts";
import type { LedgerHandlers } from "./route-parts.ts";

export function listRoutes(parts: ReaderParts & ListParts) {
  const listUpdates: LedgerHandlers["listUpdates"] = ({ query, body }, call) =>
    listAndWait(
      parts,
      updateReader(parts, readUpdateView(body, parts.catalogue)),
      { asked: body, query },
      call,
    );
  return {
    listUpdates,
    listFlatUpdates: listUpdates,
    listTransactionTrees: ({ query, body }, call) =>
      listAndWait(
        parts,
        treeReader(parts, readUpdateView(body, parts.catalogue, "ledger-effects")),
        { asked: body, query },
        call,
      ),
    listCompletions: ({ query, body }, call) => {
      const reader = completionReader(parts, readCompletionView(body, call.caller));
      checkBegin(body.beginExclusive, parts.ledger.end);
      return listAndWait(parts, reader, { asked: openRange(body), query }, call);
    },
    listCompletionsOfParties: ({ query, body }, call) => {
      const reader = completionReader(parts, readPartyCompletionView(body));
      checkBegin(body.beginExclusive, parts.ledger.end);
      return listAndWait(parts, reader, { asked: openRange(body), query }, call);
    },
  } satisfies Partial<LedgerHandlers>;
}
