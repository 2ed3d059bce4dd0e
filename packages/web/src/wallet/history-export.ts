/** The history as a file. Amounts stay the texts that the server gave. */
import type { HistoryRow } from "./history-row.ts";

const COLUMNS = [
  ["date", (row) => row.date],
  ["kind", (row) => row.kind],
  ["amount", (row) => row.amount ?? ""],
  ["name", (row) => asText(row.name ?? "")],
  ["parties", (row) => asText(row.others.join(" "))],
  ["description", (row) => asText(row.description ?? "")],
  ["refund_reason", (row) => row.refundReason ?? ""],
  ["update_id", (row) => row.updateId],
  ["choice", (row) => row.choice],
] as const satisfies readonly (readonly [string, (row: HistoryRow) => string])[];

/** Spreadsheets run cells that begin with these; an apostrophe makes them text. Others wrote these cells. */
function asText(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export function formatHistoryCsv(rows: readonly HistoryRow[]): string {
  const lines = rows.map((row) => COLUMNS.map(([, cell]) => quote(cell(row))).join(","));
  return [COLUMNS.map(([title]) => title).join(","), ...lines, ""].join("\r\n");
}

export function formatHistoryJson(rows: readonly HistoryRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}
