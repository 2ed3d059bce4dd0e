/** An SV's replica and everything that writes in its transactions. */
import { join } from "node:path";
import { createEngine, createTransition, networkCatalogue } from "@callsign/ledger";
import { type Host, openRebuildable, sha256 } from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import { MemberStreams, Replica, SqliteState } from "@callsign/synchronizer";
import { Agenda } from "./agenda/agenda.ts";
import { AppIndex } from "./app/app-index.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

/** The part of an SV's configuration that its replica depends on. */
export type CoreConfig = Pick<
  SvNodeConfig,
  | "dataFolder"
  | "name"
  | "party"
  | "orderedLog"
  | "logIsElsewhere"
  | "checks"
  | "log"
  | "requestWaitMicroseconds"
>;

export type Core = Awaited<ReturnType<typeof openCore>>;

export function replicaPath({ dataFolder }: Pick<SvNodeConfig, "dataFolder">): string {
  return join(dataFolder, "replica.db");
}

/** A damaged database is moved aside and filled again from the log: all of its rows come from there. */
export async function openCore(config: CoreConfig, host: Host) {
  // Entries are on the log's disk before they are applied here, and would be applied again.
  const synced = config.logIsElsewhere === true;
  const file = {
    path: replicaPath(config),
    options: { exclusive: true, synced, owner: `replica of ${config.name}` },
    source: "the log",
  };
  const { opened, rebuilt } = await openRebuildable({ ...file, host, log: config.log }, (database) => ({
    database,
    ...openConsumers(config, new SqliteState(database), host),
  }));
  return { ...opened, rebuilt };
}

function openConsumers(
  { orderedLog, checks, log, ...config }: CoreConfig,
  state: SqliteState,
  { timers, clock }: Host,
) {
  const { database } = state;
  const streams = new MemberStreams(database, sha256);
  const index = new ScanIndex(state);
  const agenda = new Agenda(state, sha256, config);
  const appIndex = new AppIndex(database, config.party);
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const replica = new Replica({
    state,
    timers,
    clock,
    log: orderedLog,
    transition: createTransition({ engine, verify: checks.verify }),
    prepare: (entries) => checks.prepare(entries),
    hash: sha256,
    consumers: [streams, index, agenda, appIndex],
    onListenerError: (error) => log.error({ error }, "news of the log was not taken in"),
  });
  return { streams, index, agenda, appIndex, replica };
}
