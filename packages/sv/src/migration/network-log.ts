/**
 * The log of a migration id in the SVs' data folder. A network is founded in `log.db`, whatever its id; each id that it is
 * migrated to has a file `log-<id>.db` beside it. The SVs' identities are the same under every id.
 *
 * A file gets its name when the migration is complete: its existence is the mark that the ids before it have ended.
 */
import { join } from "node:path";
import { CannotStart, type Host } from "@callsign/node";
import { logStore, type OrderedLog } from "@callsign/synchronizer";
import { findMigrationId } from "../founding/find-beginning.ts";

export interface NetworkPlace {
  /** The SVs' data folder. */
  readonly dataFolder: string;
  readonly migrationId: bigint;
}

export interface NetworkLog {
  /** The log's name in the data folder. */
  readonly logName: string;
  /** The folder of an SV's replica, in its own folder. */
  readonly replicaFolder: string;
}

type Files = Host["files"];

const MIGRATED = /^log-(0|[1-9]\d*)\.db$/;

export function migratedLogName(migrationId: bigint): string {
  return `log-${migrationId}.db`;
}

export function isMigratedTo({ dataFolder, migrationId }: NetworkPlace, files: Files): boolean {
  return files.list(dataFolder).includes(migratedLogName(migrationId));
}

export function findNetworkLog(place: NetworkPlace, files: Files): NetworkLog {
  const { migrationId } = place;
  return isMigratedTo(place, files)
    ? { logName: migratedLogName(migrationId), replicaFolder: `migration-${migrationId}` }
    : { logName: logStore.fileName, replicaFolder: "." };
}

/** Throws if the network has gone on under a later id. */
export function checkNotMigrated({ dataFolder, migrationId }: NetworkPlace, files: Files): void {
  const ids = files.list(dataFolder).map((name) => BigInt(MIGRATED.exec(name)?.[1] ?? -1));
  const latest = ids.reduce((most, id) => (id > most ? id : most), -1n);
  if (latest <= migrationId) return;
  throw new CannotStart(
    `the network in ${dataFolder} was migrated from id ${migrationId} to id ${latest}: set migration.id to ${latest}. ` +
      `To give the migration up, move ${join(dataFolder, migratedLogName(latest))} away; ` +
      "what happened under the new id is lost then",
  );
}

/** Throws if the log is another migration's, or was lost. */
export async function checkMigrationId(log: OrderedLog, place: NetworkPlace, logName: string): Promise<void> {
  const { dataFolder, migrationId } = place;
  const found = await findMigrationId(log);
  const { sequence } = await log.head();
  if (found === migrationId || (sequence === 0 && logName === logStore.fileName)) return;
  const path = join(dataFolder, logName);
  if (found === null)
    throw new CannotStart(`the log ${path} does not begin with a network: restore it from a copy`);
  const next =
    found + 1n === migrationId ? `, and then callsign network migrate leads to ${migrationId}` : "";
  throw new CannotStart(
    `the network of ${path} has migration id ${found}, not ${migrationId}: set migration.id to ${found}${next}`,
  );
}
