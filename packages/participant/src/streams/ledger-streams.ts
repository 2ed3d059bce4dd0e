/** The ledger API's streams. Requests and errors are those of the lists; the limits of lists do not apply. */
import type { ledgerApi, TreeUpdate, Update } from "@callsign/api";
import type { StreamParts, Streams } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { formatTreeUpdate } from "../events/format-transaction-tree.ts";
import { type FormatUpdateParts, formatUpdate } from "../events/format-update.ts";
import { type ActiveParts, readActiveView } from "../reads/active-view.ts";
import { readCompletionView, readPartyCompletionView } from "../reads/completion-view.ts";
import { readUpdateView } from "../reads/update-view.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import { streamActiveContracts } from "./active-stream.ts";
import { streamCompletions } from "./completion-stream.ts";
import { streamItems, type TailParts } from "./item-stream.ts";
import { type StreamAccessParts, streamAccess } from "./stream-access.ts";

type Endpoints = typeof ledgerApi.endpoints;
type LedgerStreams = Streams<Endpoints, LedgerCaller>;

export interface LedgerStreamParts extends TailParts, ActiveParts, FormatUpdateParts, StreamAccessParts {
  readonly ledger: LedgerStore;
  readonly synchronizerId: () => string;
}

export function ledgerStreams(parts: LedgerStreamParts): StreamParts<Endpoints, LedgerCaller, LedgerCaller> {
  return { open: openStreams(parts), ...streamAccess(parts) };
}

function openStreams(parts: LedgerStreamParts): LedgerStreams {
  const { catalogue } = parts;
  const listUpdates: LedgerStreams["listUpdates"] = ({ body }, { signal }) => {
    const view = readUpdateView(body, catalogue);
    return streamItems<Update>(
      parts,
      body,
      {
        ...{ witnesses: view.witnesses, hostings: view.topology },
        format: (item) => formatUpdate(parts, view, item),
        checkpoint: (value) => ({ update: { OffsetCheckpoint: { value } } }),
      },
      signal,
    );
  };
  return {
    listUpdates,
    listFlatUpdates: listUpdates,
    listTransactionTrees: ({ body }, { signal }) => {
      const view = readUpdateView(body, catalogue, "ledger-effects");
      return streamItems<TreeUpdate>(
        parts,
        body,
        {
          ...{ witnesses: view.witnesses, hostings: null },
          format: (item) => formatTreeUpdate(parts, view, item),
          checkpoint: (value) => ({ update: { OffsetCheckpoint: { value } } }),
        },
        signal,
      );
    },
    listCompletions: ({ body }, { caller, signal }) =>
      streamCompletions(parts, readCompletionView(body, caller), body.beginExclusive, signal),
    listCompletionsOfParties: ({ body }, { signal }) =>
      streamCompletions(parts, readPartyCompletionView(body), body.beginExclusive, signal),
    listActiveContracts: ({ body }, { signal }) =>
      streamActiveContracts(parts, readActiveView(body, parts), signal),
  };
}
