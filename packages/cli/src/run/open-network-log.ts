/** The ordered log of a configuration, opened for a command or a role. */
import { join } from "node:path";
import { CannotStart, type Closing, type Host, type Log, refuseMarked, sha256 } from "@callsign/node";
import {
  checkMigrationId,
  checkNotMigrated,
  findMigrationId,
  findNetworkLog,
  type NetworkPlace,
  prepareLogCopy,
  type SnapshotSearch,
} from "@callsign/sv";
import {
  CopiedLog,
  describeOrderedLog,
  type OrderedLog,
  openOrderedLog,
  type SharedLogSettings,
  SqliteLog,
} from "@callsign/synchronizer";
import type { SvSetup } from "../settings/setups.ts";

export interface OpenedNetworkLog {
  readonly log: OrderedLog;
  /** Where the log is, for messages. */
  readonly place: string;
  /** The folder of an SV's replica, in its own folder. */
  readonly replicaFolder: string;
  /** Copies the log's file, while entries are appended; undefined for a log on a server. */
  readonly copyTo?: SqliteLog["copyTo"];
}

interface Opening {
  readonly host: Host;
  readonly closing: Closing;
  /** Events of the log's engine. */
  readonly log: Log;
  /** A shared log is only read. False if omitted. */
  readonly readOnly?: boolean;
}

/** The part of a setup that its log is found by. */
export type LogOwner = Pick<SvSetup, "dataFolder" | "orderedLog"> & {
  readonly network: Pick<SvSetup["network"], "migrationId">;
};

/** This process's own copy of a log on a server. It is never the log itself: `log.kind: sqlite` uses another name. */
export const LOG_COPY = "log-copy.db";

export function placeOf({ dataFolder, network }: LogOwner): NetworkPlace {
  return { dataFolder, migrationId: network.migrationId };
}

/** Where the log is, for messages. */
export function describeLogOf(setup: LogOwner, { files }: Pick<Host, "files">): string {
  const { orderedLog, dataFolder } = setup;
  if (orderedLog.kind !== "sqlite") return describeOrderedLog(orderedLog);
  return join(dataFolder, findNetworkLog(placeOf(setup), files).logName);
}

/** Throws for a log on a server: the command needs all SVs' replicas beside the log. */
export function requireOwnLog({ orderedLog }: SvSetup, remedy: string): void {
  if (orderedLog.kind === "sqlite") return;
  throw new CannotStart(`it works on the SQLite log alone, and log.kind is ${orderedLog.kind}: ${remedy}`);
}

/** The log of the network's migration id. It is made if there is none. */
export function openNetworkLog(setup: LogOwner, opening: Opening): Promise<OpenedNetworkLog> {
  const { orderedLog: settings, dataFolder } = setup;
  opening.host.files.makeFolder(dataFolder);
  return settings.kind === "sqlite" ? openFile(setup, opening) : openShared(setup, settings, opening);
}

async function openFile(setup: LogOwner, { host, closing }: Opening): Promise<OpenedNetworkLog> {
  const { files } = host;
  const network = placeOf(setup);
  checkNotMigrated(network, files);
  const { logName, replicaFolder } = findNetworkLog(network, files);
  const place = join(setup.dataFolder, logName);
  refuseMarked(place, files);
  const log = closing.add(new SqliteLog(place, host));
  await checkMigrationId(log, network, logName);
  return { log, place, replicaFolder, copyTo: log.copyTo };
}

async function openShared(
  { network: { migrationId } }: LogOwner,
  settings: SharedLogSettings,
  { host, closing, log: events, readOnly = false }: Opening,
): Promise<OpenedNetworkLog> {
  const place = describeOrderedLog(settings);
  const log = closing.add(await openOrderedLog(settings, { host, log: events, readOnly }));
  const found = await findMigrationId(log);
  if (found !== null && found !== migrationId)
    throw new CannotStart(
      `the network of ${place} has migration id ${found}, not ${migrationId}: set migration.id to ${found}`,
    );
  return { log, place, replicaFolder: "." };
}

/** Where a node that is late finds a snapshot. */
export type SnapshotPlaces = Pick<SnapshotSearch, "folders" | "urls" | "identity">;

/** The log as SVs and scans follow it: one on a server with a copy of its own on this disk. */
export async function openFollowedLog(
  setup: LogOwner,
  opening: Opening,
  snapshots: SnapshotPlaces,
): Promise<OpenedNetworkLog> {
  if (setup.orderedLog.kind === "sqlite") return openNetworkLog(setup, opening);
  const { host, closing, log } = opening;
  const opened = await openNetworkLog(setup, opening);
  const path = join(setup.dataFolder, LOG_COPY);
  await prepareLogCopy(path, opened.log, { ...snapshots, host, log });
  const copied = new CopiedLog({ remote: opened.log, path, hash: sha256, host, log });
  return { ...opened, log: closing.add(copied) };
}
