/**
 * The keys whose rows changed with each of the last entries, written in the replica's transaction. A reader in another
 * process keeps answers in memory too: as it moves on to a later entry, it forgets the changed ones alone.
 */
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";
import { KEPT_CHANGES, MAX_CHANGED_KEYS } from "../limits/limits.ts";

export const CHANGED_KEYS_TABLE = `
  create table changed_keys (sequence integer primary key, keys text not null) strict;
`;

export const CHANGED_KEYS = {
  table: "changed_keys",
  columns: ["sequence", "keys"],
} as const satisfies CheckedTable;

export interface ChangedKeys {
  readonly names: readonly { readonly name: string; readonly owner: string }[];
  /** Templates of current contracts. */
  readonly templates: readonly string[];
}

/** Everything may have changed. */
export type Changed = ChangedKeys | "all";

export function openChangedKeys({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, CHANGED_KEYS, sums);
  const forget = rows.deletion("where sequence <= ?");
  const after = rows.query("where sequence > ? order by sequence");
  return {
    add: (sequence: number, changed: Changed) => {
      if (changed !== "all" && changed.names.length + changed.templates.length === 0) return;
      const isMany = changed === "all" || changed.names.length > MAX_CHANGED_KEYS;
      rows.save(sequence, JSON.stringify(isMany ? "all" : changed));
      forget(sequence - KEPT_CHANGES);
    },
    /** The changes behind one entry, up to another that the rows stand at. */
    listBetween: (first: number, last: number): readonly Changed[] =>
      last - first > KEPT_CHANGES
        ? ["all"]
        : after.all(first).map((row) => JSON.parse(row["keys"] as string) as Changed),
  };
}
