/** The ledger's end, and the contracts that are active at an offset. */
import type { ledgerApi } from "@callsign/api";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import { listActiveContracts } from "../store/active-contracts.ts";
import { type ActiveParts, readActiveView } from "./active-view.ts";
import { readListLimit } from "./list-limit.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, Caller>,
  "getLedgerEnd" | "getLatestPrunedOffsets" | "listActiveContracts"
>;

export function stateRoutes(parts: ActiveParts): Routes {
  const { ledger } = parts;
  return {
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
  };
}
