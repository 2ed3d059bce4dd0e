/**
 * Appends a second to the ordered log, one at a time and with many in flight, and the time of each. The floor is the same bytes in
 * plain prepared inserts with the same durability and in as many commits: one a batch, or one for all that are in flight.
 * PostgreSQL is a server of the benchmark's own on this machine, with a standby that must have each commit. NATS is three nodes on this
 * machine with synced writes, and its floor is plain messages. Appends name the log's term, as those of sequencers do.
 * Then a network of three SVs runs on a log of its own on the same servers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemHost } from "@callsign/node";
import {
  type LogBatch,
  type OrderedLog,
  openNatsLog,
  openPostgresLog,
  SqliteLog,
} from "@callsign/synchronizer";
import { fetchNatsServer } from "../scripts/nats-server.ts";
import { NATS_PASSWORD, NATS_SYSTEM_USER, NATS_USER, NatsCluster } from "../tests/support/nats-cluster.ts";
import { findPostgres, PostgresServer } from "../tests/support/postgres-server.ts";
import { type BareInserts, barePostgres, bareSqlite } from "./log-load/bare-inserts.ts";
import { bareNats } from "./log-load/bare-nats.ts";
import { MadeBatches } from "./log-load/made-batches.ts";
import { measureSharedNetwork } from "./log-load/measure-shared-network.ts";
import { median, percentile, type Row, report } from "./measure.ts";

const SAMPLES = 7;
const ONE_BY_ONE = 200;
const IN_FLIGHT = 64;
/** Commits with so many batches in flight. */
const TOGETHER = 20;
/** Entries of a full batch. */
const FULL = 100;
const FULL_BATCHES = 20;

const closing: (() => void | Promise<void>)[] = [];
const atEnd = (close: () => void | Promise<void>) => void closing.push(close);

interface Backend {
  readonly name: string;
  readonly log: OrderedLog;
  readonly bare: BareInserts;
  /** The keys of a log of its own for SVs. */
  readonly values: object;
}

interface Sample {
  readonly rate: number;
  readonly milliseconds: readonly number[];
}

/** The work on each part, one after the other, and its times. */
async function measure<T>(
  parts: readonly T[],
  units: number,
  work: (part: T) => void | Promise<void>,
): Promise<Sample> {
  const milliseconds: number[] = [];
  const began = performance.now();
  for (const part of parts) {
    const start = performance.now();
    await work(part);
    milliseconds.push(performance.now() - start);
  }
  return { rate: (units * 1000) / (performance.now() - began), milliseconds };
}

async function append(log: OrderedLog, batch: LogBatch): Promise<void> {
  const { appended } = await log.append(batch);
  if (!appended) throw new Error(`batch ${batch.head.sequence} was refused`);
}

interface Load {
  readonly what: string;
  readonly batches: number;
  readonly size: number;
  readonly inFlight: number;
}

const LOADS: readonly Load[] = [
  { what: "one in flight", batches: ONE_BY_ONE, size: 1, inFlight: 1 },
  { what: `${IN_FLIGHT} in flight`, batches: TOGETHER * IN_FLIGHT, size: 1, inFlight: IN_FLIGHT },
  { what: `one in flight, ${FULL} entries each`, batches: FULL_BATCHES, size: FULL, inFlight: 1 },
];

async function measureLoad(
  { name, log, bare }: Backend,
  load: Load,
  made: MadeBatches,
): Promise<readonly Row[]> {
  const logs: Sample[] = [];
  const floors: Sample[] = [];
  // The first sample warms up and is not counted.
  for (let i = 0; i <= SAMPLES; i++) {
    const term = await log.term();
    const batches = made.make(load.batches, load.size).map((batch) => ({ ...batch, term }));
    const groups = Array.from({ length: load.batches / load.inFlight }, (_, group) =>
      batches.slice(group * load.inFlight, (group + 1) * load.inFlight),
    );
    const appended = await measure(groups, load.batches, async (group) => {
      await Promise.all(group.map((batch) => append(log, batch)));
    });
    const inserted = await measure(groups, load.batches, (group) => bare.insert(group));
    if (i === 0) continue;
    logs.push(appended);
    floors.push(inserted);
  }
  const what = `${name}, ${load.what}`;
  const [rate, floor] = [logs, floors].map((samples) => median(samples.map((each) => each.rate))) as [
    number,
    number,
  ];
  const times = (share: number) => {
    const [value, least] = [logs, floors].map((samples) =>
      percentile(
        samples.flatMap(({ milliseconds }) => milliseconds),
        share,
      ),
    ) as [number, number];
    return { value, floor: least, unit: "ms" };
  };
  return [
    { what, value: rate, unit: "/s", floor, target: "≥ 0.5 ×", met: rate >= 0.5 * floor },
    { what: `${what}, p50`, ...times(0.5) },
    { what: `${what}, p99`, ...times(0.99) },
  ];
}

function openSqlite(): Backend {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-log-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const log = new SqliteLog(join(folder, "log.db"), systemHost);
  const bare = bareSqlite(folder);
  atEnd(() => bare.close());
  atEnd(() => log.close());
  return { name: "SQLite", log, bare, values: { kind: "sqlite" } };
}

async function openPostgres(): Promise<Backend> {
  const server = await PostgresServer.start({ isDurable: true, settings: { max_wal_size: "1GB" } }, atEnd);
  if (server.canHaveStandby) {
    await server.setSetting("synchronous_standby_names", "ANY 1 (*)");
    await server.standby(atEnd);
  }
  const config = server.config("log");
  const log = await openPostgresLog(config, {
    host: systemHost,
    log: silentLog,
    acceptedRisks: server.canHaveStandby ? [] : ["synchronous_standby_names"],
  });
  atEnd(() => log.close());
  const bare = await barePostgres(config);
  atEnd(() => bare.close());
  const { host, port, user, password } = config;
  const login = { hosts: [`${host}:${port}`], user, password, databaseName: "network", schema: "log" };
  const accept = server.canHaveStandby ? [] : ["synchronous_standby_names"];
  return { name: "PostgreSQL", log, bare, values: { kind: "postgres", postgres: login, accept } };
}

async function openNats(): Promise<Backend> {
  const cluster = await NatsCluster.start({}, atEnd);
  const config = cluster.log("log");
  const log = await openNatsLog(config, { host: systemHost, log: silentLog });
  atEnd(() => log.close());
  const bare = await bareNats(config);
  atEnd(() => bare.close());
  const [login, system] = [NATS_USER, NATS_SYSTEM_USER];
  const nats = {
    ...{ servers: cluster.servers, stream: "network", user: login, password: NATS_PASSWORD },
    ...{ systemUser: system, systemPassword: NATS_PASSWORD },
  };
  return { name: "NATS", log, bare, values: { kind: "nats", nats } };
}

const notes = [
  `Medians of ${SAMPLES} samples, taken in turns with the floor's. An entry has about 1,800 bytes. Times are of one append or one\n` +
    "commit of the floor; with several in flight, of all of them together.",
];
const rows: Row[] = [];
try {
  const backends: Backend[] = [openSqlite()];
  if (findPostgres() === null) notes.push("There is no PostgreSQL here: its rows are missing.");
  else backends.push(await openPostgres());
  const missing = await fetchNatsServer();
  if (missing === null) backends.push(await openNats());
  else notes.push(`The rows of NATS are missing: ${missing}.`);
  for (const backend of backends) {
    const made = new MadeBatches();
    for (const load of LOADS) rows.push(...(await measureLoad(backend, load, made)));
    rows.push(...(await measureSharedNetwork(backend.name, backend.values)));
  }
} finally {
  for (const close of closing.reverse()) await close();
}
report("log", rows, notes);
