/**
 * A participant's store in a file of SQLite. The next migration's is filled beside it; then the present file moves into the
 * folder of its migration, and the next one takes its place. So every other command finds the present store where it always
 * was. A run that was killed before the first of these moves is repeated from the beginning; one that was killed between
 * them is finished by the next start.
 */
import { dirname } from "node:path";
import { CannotStart, type StoreParts } from "@callsign/node";
import { carryOver } from "./carry-over.ts";
import {
  checkBefore,
  isUnused,
  type OwnStore,
  openOfMigration,
  readMigration,
  refuseMissing,
  type WantedMigration,
} from "./store-migration.ts";
import { isFile, openFileStore, type StoreFiles } from "./store-places.ts";

export async function settleFile(
  places: StoreFiles,
  wanted: WantedMigration,
  parts: StoreParts,
): Promise<OwnStore> {
  const { files } = parts.host;
  const { migrationId, migrating } = wanted;
  const { present } = places;
  if (!isFile(present, files)) await finish(places, migrationId, parts);
  if (!isFile(present, files) && migrating) refuseMissing(dirname(present), migrationId);
  if (migrating && (await isBefore(places, wanted, parts))) await replace(places, migrationId, parts);
  return await openOfMigration({ name: present, open: () => openFileStore(present, parts) }, wanted);
}

/** True if the present store is that of the migration before. */
async function isBefore(
  { present }: StoreFiles,
  { migrationId }: WantedMigration,
  parts: StoreParts,
): Promise<boolean> {
  const store = await openFileStore(present, { ...parts, metrics: undefined });
  try {
    if (await isUnused(store)) refuseMissing(present, migrationId);
    const known = await readMigration(store, migrationId);
    if (known?.id === migrationId) return false;
    checkBefore(known, present, migrationId);
    return true;
  } finally {
    await store.close();
  }
}

async function replace(places: StoreFiles, migrationId: number, parts: StoreParts): Promise<void> {
  const { files } = parts.host;
  const { present, next } = places;
  const before = places.before(migrationId - 1);
  if (isFile(before, files))
    throw new CannotStart(
      `${before} is there already, and ${present} would be moved to it: move the one that does not count away`,
    );
  files.remove(dirname(next));
  files.makeFolder(dirname(next));
  const unmeasured = { ...parts, metrics: undefined };
  const from = await openFileStore(present, unmeasured);
  try {
    const to = await openFileStore(next, unmeasured);
    try {
      const migration = await carryOver(from, to, migrationId);
      parts.log.info({ from: before, ...migration }, "the participant was carried over");
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  files.makeFolder(dirname(before));
  files.move(present, before);
  await finish(places, migrationId, parts);
}

/** Puts the filled store of this migration into its place, if there is one. */
async function finish({ present, next }: StoreFiles, migrationId: number, parts: StoreParts): Promise<void> {
  const { files } = parts.host;
  if (!isFile(next, files)) return;
  const store = await openFileStore(next, { ...parts, metrics: undefined });
  const migration = await readMigration(store, migrationId).finally(() => store.close());
  if (migration?.id !== migrationId)
    throw new CannotStart(
      `a migration to ${migration?.id ?? "another id"} was interrupted, which left ${next}: start with that migration.id, ` +
        `or restore ${present}`,
    );
  files.move(next, present);
  files.remove(dirname(next));
}
