import type { TransactionItem } from "@callsign/api";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../calls/call.ts";
import { useWebConfig } from "../config/web-config.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { type HistoryRow, toHistoryRow } from "./history-row.ts";

const EXPORT_PAGE = 1000;
/** An export has at most so many items. */
export const MAX_EXPORTED = 20_000;

export type HistoryRead = ReturnType<typeof useHistory>;

/** The history of the user's coin, newest first, page after page. */
export function useHistory(pageSize: number) {
  const config = useWebConfig();
  const party = useParty();
  const read = useInfiniteQuery({
    queryKey: ["validator", "history", party, pageSize],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const body = { page_size: pageSize, begin_after_id: pageParam };
      return (await call(config, "validator", "POST /v0/wallet/transactions", { body }, { signal })).items;
    },
    getNextPageParam: (page: readonly TransactionItem[]) =>
      page.length < pageSize ? undefined : page.at(-1)?.event_id,
    refetchInterval: 10_000,
  });
  const pages = read.data?.pages;
  const rows = useMemo(() => (pages ?? []).flat().map((item) => toHistoryRow(item, party)), [pages, party]);
  return { ...read, rows };
}

/** Everything there is, up to the limit. */
export function useHistoryExport(): () => Promise<{ rows: readonly HistoryRow[]; isWhole: boolean }> {
  const config = useWebConfig();
  const party = useParty();
  return async () => {
    const items: TransactionItem[] = [];
    let after = "";
    while (items.length < MAX_EXPORTED) {
      const body = { page_size: EXPORT_PAGE, begin_after_id: after };
      const page = (await call(config, "validator", "POST /v0/wallet/transactions", { body })).items;
      items.push(...page);
      after = page.at(-1)?.event_id ?? "";
      if (page.length < EXPORT_PAGE)
        return { rows: items.map((item) => toHistoryRow(item, party)), isWhole: true };
    }
    return { rows: items.map((item) => toHistoryRow(item, party)), isWhole: false };
  };
}
