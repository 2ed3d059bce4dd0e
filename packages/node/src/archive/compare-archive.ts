/** Compares a store with an archive, by the hashes of their tables. */
import type { StoreDefinition } from "../database/store-definition.ts";
import { type Archived, ArchiveRefused } from "./archive-format.ts";
import { listLines } from "./list-lines.ts";
import type { StoreSnapshot } from "./store-snapshot.ts";
import { TableDigests } from "./table-digests.ts";

/** True if the store has the archive's rows and no others, and the newest version. */
export async function isArchived(
  snapshot: StoreSnapshot,
  archived: Archived,
  definition: StoreDefinition,
): Promise<boolean> {
  if (archived.header.storeVersion !== definition.migrations.migrations.length) return false;
  return (await listDifferent(snapshot, archived, definition)).length === 0;
}

/** Throws `ArchiveRefused` if a row differs. */
export async function verifyRows(
  snapshot: StoreSnapshot,
  archived: Archived,
  definition: StoreDefinition,
): Promise<void> {
  const different = await listDifferent(snapshot, archived, definition);
  if (different.length === 0) return;
  throw new ArchiveRefused(`these tables of the store differ from the archive: ${different.join(", ")}`);
}

async function listDifferent(
  snapshot: StoreSnapshot,
  { trailer }: Archived,
  definition: StoreDefinition,
): Promise<readonly string[]> {
  const digests = new TableDigests();
  for await (const { table, row } of listLines(snapshot, definition)) {
    if (row === undefined) digests.begin(table.name);
    else digests.add(row);
  }
  const found = digests.finish();
  const names = new Set([...Object.keys(found), ...Object.keys(trailer.tables)]);
  return [...names].filter((name) => found[name]?.sha256 !== trailer.tables[name]?.sha256).sort();
}
