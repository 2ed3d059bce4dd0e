/** A request for each operation that looks updates and contracts up, about one party or about all. */
import type { ledgerApi } from "../../packages/api/src/index.ts";
import { everythingOf } from "./preferences.ts";

type Id = keyof typeof ledgerApi.endpoints;

export interface ReadRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const SOME_UPDATE = `1220${"ab".repeat(32)}`;
const SOME_CONTRACT = `00${"00".repeat(32)}`;

const ids = [
  "listCompletionsOfParties",
  "getActiveContractsPage",
  "getContract",
  "listFlatUpdates",
  "listTransactionTrees",
  "getUpdatesPage",
  "getUpdateById",
  "getUpdateByOffset",
  "getTransactionById",
  "getTransactionByOffset",
  "getTransactionTreeById",
  "getTransactionTreeByOffset",
] as const satisfies readonly Id[];

type ReadId = (typeof ids)[number];

/** Requests that find nothing. */
export const lookupIds = ids.filter((id) => /^get(Contract|Update(ById|ByOffset)|Transaction.*)$/.test(id));

export function eachRead<T>(make: (id: ReadId) => T): Readonly<Record<ReadId, T>> {
  return Object.fromEntries(ids.map((id) => [id, make(id)])) as Record<ReadId, T>;
}

/** `party`: null for every party's, where that can be asked for. */
export function readRequests(party: string | null): Readonly<Record<ReadId, ReadRequest>> {
  const parties = party === null ? [] : [party];
  const eventFormat =
    party === null ? { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } } : everythingOf(party);
  const transactionFormat = { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" };
  const updateFormat = { includeTransactions: transactionFormat };
  const older = { beginExclusive: 0, filter: eventFormat, verbose: true };
  const query = { limit: "1", stream_idle_timeout_ms: "1" };
  const ofParties = { query: { parties: party ?? "p" } };
  return {
    listCompletionsOfParties: { query, body: { parties } },
    getActiveContractsPage: { body: { eventFormat } },
    getContract: { body: { contractId: SOME_CONTRACT, queryingParties: parties } },
    listFlatUpdates: { query, body: older },
    listTransactionTrees: { query, body: older },
    getUpdatesPage: { body: { updateFormat } },
    getUpdateById: { body: { updateId: SOME_UPDATE, updateFormat } },
    getUpdateByOffset: { body: { offset: 1_000_000, updateFormat } },
    getTransactionById: { body: { updateId: SOME_UPDATE, transactionFormat } },
    getTransactionByOffset: {
      body: {
        offset: 1_000_000,
        ...(party === null ? { transactionFormat } : { requestingParties: parties }),
      },
    },
    getTransactionTreeById: { params: { "update-id": SOME_UPDATE }, ...ofParties },
    getTransactionTreeByOffset: { params: { offset: "1000000" }, ...ofParties },
  };
}
