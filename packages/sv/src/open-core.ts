/** An SV's replica and everything that writes in its transactions. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createEngine, createTransition, networkCatalogue, SUPPORTED_VERSIONS } from "@callsign/ledger";
import {
  type Host,
  markDamaged,
  openRebuildable,
  type RebuiltFile,
  SignatureChecks,
  sha256,
} from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import {
  isReplicaDamage,
  MemberStreams,
  Replica,
  type ReplicaConsumer,
  SqliteState,
  shareOutcomes,
} from "@callsign/synchronizer";
import { Agenda } from "./agenda/agenda.ts";
import { AppIndex } from "./app/app-index.ts";
import { startFromSnapshot } from "./start-from-snapshot.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

/** The part of an SV's configuration that its replica depends on. */
export type CoreConfig = {
  /** True if all SVs of the network stand on it; it is the party's alone if omitted. */
  readonly servesAllSvs?: boolean;
} & Partial<Pick<SvNodeConfig, "identity">> &
  Pick<
    SvNodeConfig,
    | "dataFolder"
    | "name"
    | "party"
    | "orderedLog"
    | "logIsElsewhere"
    | "checks"
    | "supportedVersions"
    | "log"
    | "requestWaitMicroseconds"
    | "snapshotFolders"
    | "snapshotUrls"
    | "scanWorkers"
    | "isMapped"
    | "sharesOutcomes"
  >;

export type Core = Awaited<ReturnType<typeof openCore>>;

export function replicaPath({ dataFolder }: Pick<SvNodeConfig, "dataFolder">): string {
  return join(dataFolder, "replica.db");
}

/** The mark of the replica's database. */
export function ownerOf({ name }: Pick<SvNodeConfig, "name">): string {
  return `replica of ${name}`;
}

/** Starts a node again if the first start reads a damaged page or row of the replica: its store is rebuilt then. */
export async function startWholeReplica<T>(
  path: string,
  { start, host }: { readonly start: () => Promise<T>; readonly host: Host },
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!isReplicaDamage(error)) throw error;
    markDamaged(path, (error as Error).message, host);
    return start();
  }
}

/** A damaged database is moved aside and filled again from the log: all of its rows come from there. */
export function openCore(config: CoreConfig, host: Host) {
  return openState(config, host, {
    open: (state) => openConsumers(config, state, host),
    list: (state) => [new MemberStreams(state, sha256), ...Object.values(openIndexes(config, state))],
  });
}

export type ScanCoreConfig = Pick<
  SvNodeConfig,
  "dataFolder" | "name" | "orderedLog" | "supportedVersions" | "log" | "snapshotFolders" | "scanWorkers"
>;

/** True if other processes read the replica's database: scan's workers do. */
function hasReadersOf({ scanWorkers = 1 }: Pick<SvNodeConfig, "scanWorkers">): boolean {
  return scanWorkers > 1;
}

/** A replica with scan's index alone. */
export function openScanCore(config: ScanCoreConfig, host: Host) {
  const open = (state: SqliteState) => {
    const index = new ScanIndex(state, { hasReaders: hasReadersOf(config) });
    const parts = { ...config, checks: new SignatureChecks(), consumers: [index] };
    return { index, replica: openReplica(parts, state, host) };
  };
  return openState(config, host, { open, list: (state) => [new ScanIndex(state)] });
}

interface OpenedFile {
  readonly database: DatabaseSync;
  /** The damaged file that was moved aside; null if it was sound. */
  readonly rebuilt: RebuiltFile | null;
}

interface StateOpening<T> {
  readonly open: (state: SqliteState) => T;
  /** The same consumers alone, to fill a database from a snapshot. */
  readonly list: (state: SqliteState) => readonly ReplicaConsumer[];
}

/** A replica that is too far behind the log's first entry is made from a snapshot. */
async function openState<T extends { readonly replica: Replica }>(
  config: ScanCoreConfig & Pick<CoreConfig, "logIsElsewhere" | "identity" | "snapshotUrls">,
  host: Host,
  { open, list }: StateOpening<T>,
): Promise<T & OpenedFile> {
  // Entries are on the log's disk before they are applied here, and would be applied again.
  const synced = config.logIsElsewhere === true;
  const hasReaders = hasReadersOf(config);
  const file = {
    path: replicaPath(config),
    options: { exclusive: !hasReaders, hasReaders, synced, owner: ownerOf(config) },
    source: "the log",
  };
  const { orderedLog, log, dataFolder, snapshotFolders: folders = [dataFolder] } = config;
  const openFile = () =>
    openRebuildable({ ...file, host, log }, (database) => ({ database, ...open(new SqliteState(database)) }));
  const first = await openFile();
  const { sequence: start } = await orderedLog.start();
  if (first.opened.replica.state.head.sequence >= start) return { ...first.opened, rebuilt: first.rebuilt };
  first.opened.database.close();
  const { snapshotUrls: urls = [], identity } = config;
  const search = { start, folders, urls, host, log, ...(identity && { identity }) };
  await startFromSnapshot({ ...file, ...search, openConsumers: list });
  return { ...(await openFile()).opened, rebuilt: first.rebuilt };
}

function openConsumers(config: CoreConfig, state: SqliteState, host: Host) {
  const streams = new MemberStreams(state, sha256);
  const { index, agenda, appIndex } = openIndexes(config, state);
  const replica = openReplica({ ...config, consumers: [streams, index, agenda, appIndex] }, state, host);
  return { streams, index, agenda, appIndex, replica };
}

interface ReplicaParts
  extends Pick<
    CoreConfig,
    | "orderedLog"
    | "checks"
    | "supportedVersions"
    | "log"
    | "logIsElsewhere"
    | "scanWorkers"
    | "sharesOutcomes"
  > {
  readonly consumers: readonly ReplicaConsumer[];
}

function openReplica(
  {
    orderedLog,
    checks,
    supportedVersions = SUPPORTED_VERSIONS,
    log,
    logIsElsewhere,
    scanWorkers = 1,
    sharesOutcomes = true,
    consumers,
  }: ReplicaParts,
  state: SqliteState,
  host: Host,
): Replica {
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const transition = createTransition({ engine, verify: checks.verify, supportedVersions });
  return new Replica({
    state,
    host,
    log: orderedLog,
    transition: sharesOutcomes
      ? shareOutcomes(transition, `versions ${supportedVersions.join(", ")}`)
      : transition,
    prepare: (entries) => checks.prepare(entries),
    hash: sha256,
    // Readers in other processes see pages from their commit on.
    sharedCommits: logIsElsewhere !== true && !hasReadersOf({ scanWorkers }),
    consumers,
    onListenerError: (error) => log.error({ error }, "news of the log was not taken in"),
  });
}

/** The consumers whose rows follow from contracts. */
export function openIndexes(
  config: Pick<CoreConfig, "party" | "servesAllSvs" | "requestWaitMicroseconds" | "scanWorkers" | "isMapped">,
  state: SqliteState,
) {
  const { isMapped = true, servesAllSvs = false, party } = config;
  const index = new ScanIndex(state, { hasReaders: hasReadersOf(config), isMapped });
  const agenda = new Agenda(state, sha256, config);
  const appIndex = new AppIndex(state, servesAllSvs ? null : party);
  return { index, agenda, appIndex };
}
