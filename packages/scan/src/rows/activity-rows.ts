/** The updates in which coin was transferred, tapped or minted, by their record times. The updates tell the rest. */
import type { Outcome } from "@callsign/ledger";
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";
import { ACTIVITY_CHOICES } from "../history/coin-activities.ts";
import { openBeginning } from "./beginning.ts";

export const ACTIVITY_TABLES = `
  create table activity_update (record_time integer primary key) strict;
  create table activity_beginning (
    one integer primary key check (one = 1),
    sequence integer not null
  ) strict;
`;

export const ACTIVITY_UPDATES = {
  table: "activity_update",
  columns: ["record_time"],
} as const satisfies CheckedTable;

export const ACTIVITY_BEGINNING = {
  table: "activity_beginning",
  columns: ["one", "sequence"],
} as const satisfies CheckedTable;

export function openActivityRows(state: SummedDatabase) {
  const rows = new CheckedRows(state.database, ACTIVITY_UPDATES, state.sums);
  const beginning = openBeginning(state, ACTIVITY_BEGINNING);
  const from = rows.query("where record_time >= ? order by record_time limit +?");
  const upTo = rows.query("where record_time <= ? order by record_time desc limit +?");
  const timeOf = (row: Record<string, unknown>) => row["record_time"] as bigint;
  return {
    absorb: ({ head, verdict, imported }: Outcome) => {
      beginning.ensure(() => [head.sequence]);
      if (imported !== null || verdict.kind !== "accepted" || verdict.transaction === null) return;
      const { nodes } = verdict.transaction;
      if (nodes.some((node) => node.kind === "exercise" && ACTIVITY_CHOICES.has(node.choice)))
        rows.insert(head.recordTime);
    },
    /** Record times, from one on. */
    listFrom: (recordTime: bigint, limit: number) => from.all(recordTime, limit).map(timeOf),
    /** Record times up to one, the last ones first. */
    listUpTo: (recordTime: bigint, limit: number) => upTo.all(recordTime, limit).map(timeOf),
    /** True if all updates from the log's first entry on were looked at. */
    isComplete: () => beginning.find()?.["sequence"] === 1n,
    reload: beginning.reload,
  };
}
