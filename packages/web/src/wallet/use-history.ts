import type { TransactionItem } from "@callsign/api";
import { useMemo } from "react";
import { call } from "../calls/call.ts";
import { type ReadPages, useReadPages } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { type HistoryRow, toHistoryRow } from "./history-row.ts";

const EXPORT_PAGE = 1000;
/** An export has at most so many items. */
export const MAX_EXPORTED = 20_000;

export interface WalletHistory {
  readonly pages: ReadPages<{ readonly items: readonly TransactionItem[] }>;
  readonly rows: readonly HistoryRow[];
}

/** The history of the user's coin, newest first, page after page. */
export function useHistory(pageSize: number): WalletHistory {
  const party = useParty();
  const pages = useReadPages(
    "validator",
    "POST /v0/wallet/transactions",
    (cursor) => ({ body: { page_size: pageSize, begin_after_id: cursor ?? "" } }),
    ({ items }) => (items.length < pageSize ? null : (items.at(-1)?.event_id ?? null)),
  );
  const { data } = pages.read;
  const rows = useMemo(
    () => (data ?? []).flatMap(({ items }) => items.map((item) => toHistoryRow(item, party))),
    [data, party],
  );
  return { pages, rows };
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
