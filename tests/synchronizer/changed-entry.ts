/** Changes an entry of a log's file behind the log's back. */
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { EntryRows } from "../../packages/synchronizer/src/log/sqlite-log-rows.ts";

export function changeEntry(file: string, sequence: number, change: (bytes: string) => string): void {
  const database = new DatabaseSync(file);
  const [entry] = new EntryRows(database).list({ after: sequence - 1, until: sequence, limit: 1 });
  const changed = change(entry as string);
  expect(changed).not.toBe(entry);
  database.prepare("update entry set bytes = ?, packed = null where sequence = ?").run(changed, sequence);
  database.close();
}
