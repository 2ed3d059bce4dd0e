/** The row of a replica with the network's terms, as if it had changed in memory before it was written: its check holds. */
import { expect } from "vitest";
import { CheckedRows } from "../../packages/synchronizer/src/replica/checked-rows.ts";
import type { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";

/** Replaces a text that the row has; the state is read again. */
export function changeNetworkRow(state: SqliteState, from: string, to: string): void {
  state.flush();
  const rows = new CheckedRows(state.database, "network");
  const body = String(rows.find(1)?.["body"]);
  expect(body).toContain(from);
  rows.save(1, body.replaceAll(from, to));
  state.reload();
}
