/** The ledger's end, and the contracts that are active at an offset. */
import type { ledgerApi, ResponseOf } from "@callsign/api";
import { type Host, nextTurn } from "@callsign/node";
import { PAGE_BATCH } from "../limits/limits.ts";
import {
  type ActivePageView,
  type ActiveParts,
  readActivePageView,
  readActiveView,
} from "../reads/active-view.ts";
import { readListLimit } from "../reads/list-limit.ts";
import { listActiveContracts, type StoredActive } from "../store/active-contracts.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { LedgerHandlers } from "./route-parts.ts";

export function stateRoutes(parts: ActiveParts & { readonly host: Host }) {
  const { ledger } = parts;
  const getActiveContractsPage: LedgerHandlers["getActiveContractsPage"] = ({ body }, { signal }) =>
    answerPage(parts, readActivePageView(body, parts), signal);
  return {
    getActiveContractsPage,
    getActiveContractsPageByGet: getActiveContractsPage,
    getLedgerEnd: () => ({ offset: ledger.end }),
    getLatestPrunedOffsets: () => ({
      participantPrunedUpToInclusive: ledger.prunedUpTo,
      allDivulgedContractsPrunedUpToInclusive: ledger.prunedUpTo,
    }),
    listActiveContracts: async ({ query, body }) => {
      const { format, ...page } = readActiveView(body, parts);
      const limit = readListLimit(query.limit);
      const found = await listActiveContracts(ledger, { ...page, limit: limit.sought });
      return limit.cut(found).flatMap((stored) => format(stored) ?? []);
    },
  } satisfies Partial<LedgerHandlers>;
}

async function answerPage(
  { host, ledger }: { readonly host: Host; readonly ledger: LedgerStore },
  view: ActivePageView,
  signal: AbortSignal,
): Promise<ResponseOf<typeof ledgerApi.endpoints.getActiveContractsPage>> {
  const { selections, activeAt, size } = view;
  const found: StoredActive[] = [];
  // One contract more than the page holds tells whether there is another page.
  for (let { after } = view; found.length <= size; after = found.at(-1)?.number ?? after) {
    const limit = Math.min(PAGE_BATCH, size + 1 - found.length);
    const batch = await listActiveContracts(ledger, { selections, activeAt, after, limit });
    found.push(...batch);
    // The caller may have disconnected.
    if (batch.length < limit || signal.aborted) break;
    await nextTurn(host.timers);
  }
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    activeContracts: page.flatMap((stored) => view.format(stored) ?? []),
    activeAtOffset: activeAt,
    nextPageToken: found.length > size && last !== undefined ? view.tokenBehind(last) : null,
  };
}
