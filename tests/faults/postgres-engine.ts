/** A PostgreSQL primary with two standbys, of which one must have each commit, behind a pooler. */
import { silentLog, sleep, systemHost } from "@callsign/node";
import { openOrderedLog } from "@callsign/synchronizer";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { Machine } from "../support/machines.ts";
import { Pooler } from "../support/pooler.ts";
import { ownServer } from "../support/postgres.ts";
import { PASSWORD, type PostgresServer, USER } from "../support/postgres-server.ts";
import { SmallDisk } from "../support/small-disk.ts";
import type { Engine } from "./engine.ts";
import { FAULT_PATIENCE_MILLISECONDS } from "./patience.ts";
import type { Victim } from "./victim.ts";

const DISK_MEGABYTES = 1000;
const DATABASE = "callsign_log";
const SCHEMA = "log";

/** A standby that does not follow by then will not follow by itself. */
const COPIED_AFTER_MILLISECONDS = 60_000;

const EQUAL_READS = 3;
const READ_MILLISECONDS = 50;

const SETTINGS = {
  // Servers that lost each other notice soon.
  wal_receiver_timeout: "3s",
  wal_sender_timeout: "3s",
  wal_retrieve_retry_interval: "300ms",
  tcp_keepalives_idle: "2",
  tcp_keepalives_interval: "1",
  tcp_keepalives_count: "3",
  // A standby that was away for a while finds what it missed.
  wal_keep_size: "256MB",
};
const ACCESS = ["host all all all scram-sha-256", "host replication all all scram-sha-256"];

export async function startPostgresEngine(machines: readonly Machine[], atEnd: AtEnd): Promise<Engine> {
  const cluster = await PostgresCluster.start(machines, atEnd);
  return {
    ...{ kind: "PostgreSQL", nodes: cluster.nodes, others: [cluster.poolerVictim] },
    values: { kind: "postgres", postgres: cluster.login },
    open: () => cluster.open(),
    failOver: (options) => cluster.failOver(options),
    heal: () => cluster.heal(),
  };
}

class PostgresCluster {
  readonly nodes: readonly Victim[];
  readonly poolerVictim: Victim;
  readonly #servers: readonly PostgresServer[];
  readonly #pooler: Pooler;
  #primary: PostgresServer;

  private constructor(
    servers: readonly PostgresServer[],
    disks: readonly (SmallDisk | null)[],
    pooler: Pooler,
  ) {
    this.#servers = servers;
    this.#pooler = pooler;
    this.#primary = servers[0] as PostgresServer;
    this.nodes = servers.map((server, i) => serverVictim(`node-${i + 1}`, server, disks[i] ?? null));
    const startPooler = async () => {
      if (pooler.processId === undefined) pooler.start();
    };
    this.poolerVictim = {
      ...{ name: "pooler", machine: pooler.machine, disk: null, clockFile: null, start: startPooler },
      processId: () => pooler.processId,
      kill: () => pooler.stop("SIGKILL"),
      ready: () => pooler.ready(),
      mend: startPooler,
      output: () => pooler.output,
    };
  }

  static async start(machines: readonly Machine[], atEnd: AtEnd): Promise<PostgresCluster> {
    const [first, second, third, last] = machines as [Machine, Machine, Machine, Machine];
    const disks = [first, second, third].map(() => SmallDisk.tryMount(DISK_MEGABYTES, atEnd));
    const placeOf = (machine: Machine, i: number) => {
      const folder = disks[i]?.folder;
      return { machine, ...(folder === undefined ? {} : { folder }) };
    };
    const options = { isDurable: true, settings: SETTINGS, access: ACCESS };
    const primary = await ownServer({ ...options, ...placeOf(first, 0) }, atEnd);
    // Standbys take the setting over.
    await primary.setSetting("synchronous_standby_names", "ANY 1 (*)");
    const servers = [primary];
    for (const [i, machine] of [second, third].entries())
      servers.push(await primary.standby(atEnd, placeOf(machine, i + 1)));
    return new PostgresCluster(servers, disks, await Pooler.start(last, primary, atEnd));
  }

  /** As an SV's configuration names the log's database. */
  get login() {
    const hosts = [`${this.#pooler.machine.address}:${this.#pooler.port}`];
    return { hosts, user: USER, password: PASSWORD, databaseName: DATABASE, schema: SCHEMA };
  }

  open() {
    const { address: host } = this.#pooler.machine;
    const database = this.#primary.config(DATABASE, { host, port: this.#pooler.port, schema: SCHEMA });
    const settings = { kind: "postgres", database, acceptedRisks: [] } as const;
    return openOrderedLog(settings, { host: systemHost, log: silentLog });
  }

  /** Promotes the standby that has more, and makes the old primary a standby. All servers are running. */
  async failOver({ isIsolated }: { readonly isIsolated: boolean }): Promise<void> {
    const old = this.#primary;
    const standbys = this.#servers.filter((server) => server !== old);
    const setCut = (loses: boolean) => {
      for (const { machine } of [...standbys, this.#pooler]) {
        old.machine.setLosing(machine.address, loses);
        machine.setLosing(old.machine.address, loses);
      }
    };
    if (isIsolated) setCut(true);
    else await old.stop("SIGKILL");
    const ends = await Promise.all(standbys.map(receivedEnd));
    const next = standbys[ends.indexOf(Math.max(...ends))] as PostgresServer;
    await next.sql("select pg_promote()");
    for (const other of standbys) if (other !== next) await other.follow(next);
    this.#primary = next;
    this.#pooler.moveTo(next);
    if (isIsolated) {
      // Sessions with a server that does not answer would wait for it.
      await this.#pooler.stop("SIGKILL");
      this.#pooler.start();
      await old.stop("SIGKILL");
      setCut(false);
    }
    await copyServer(old, next);
  }

  /** Resolves when all servers run, and both standbys follow. One that finds no way to follow is made anew, as an operator would. */
  async heal(): Promise<void> {
    await Promise.all(this.#servers.map(mendServer));
    if (this.#pooler.processId === undefined) this.#pooler.start();
    await this.#pooler.ready();
    try {
      await this.#waitForStandbys(COPIED_AFTER_MILLISECONDS);
    } catch {
      for (const server of this.#servers)
        if (server !== this.#primary) await this.#copyUnlessFollowing(server);
      await this.#waitForStandbys(FAULT_PATIENCE_MILLISECONDS);
    }
  }

  async #waitForStandbys(patience: number): Promise<void> {
    const standbys = this.#servers.length - 1;
    const follow = "select count(*) from pg_stat_replication where state = 'streaming'";
    await until(
      async () => Number(await this.#primary.sql(follow)) === standbys,
      "both standbys follow the primary",
      patience,
    );
  }

  async #copyUnlessFollowing(standby: PostgresServer): Promise<void> {
    const receives = "select count(*) from pg_stat_wal_receiver where status = 'streaming'";
    if (Number(await standby.sql(receives)) > 0) return;
    console.log(`a standby does not follow: ${standby.output}`);
    await standby.stop("SIGKILL");
    await copyServer(standby, this.#primary);
  }
}

function serverVictim(name: string, server: PostgresServer, disk: SmallDisk | null): Victim {
  return {
    ...{ name, machine: server.machine, disk, clockFile: null },
    processId: () => server.processId,
    kill: () => server.stop("SIGKILL"),
    start: () => startServer(server),
    ready: () => mendServer(server),
    mend: () => mendServer(server),
    output: () => server.output,
  };
}

/** Resolves when it answers. A server that ends after all is started again. */
async function mendServer(server: PostgresServer): Promise<void> {
  const answers = async () => {
    await startServer(server);
    return server.sql("select 1").then(
      () => true,
      () => false,
    );
  };
  await until(answers, `PostgreSQL answers: ${server.output}`, FAULT_PATIENCE_MILLISECONDS);
}

async function startServer(server: PostgresServer): Promise<void> {
  if (server.processId === undefined) await server.start();
}

/** A partition may be in the way for a while. */
async function copyServer(server: PostgresServer, from: PostgresServer): Promise<void> {
  const isCopied = () =>
    server.startAsCopyOf(from).then(
      () => true,
      () => false,
    );
  await until(isCopied, "the server is a copy of the primary", FAULT_PATIENCE_MILLISECONDS);
}

/** The end of the log of writes that a standby has on its disk. One that has just been started reads it for a moment. */
async function receivedEnd(server: PostgresServer): Promise<number> {
  await mendServer(server);
  const received = "greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn";
  const read = async () => Number(await server.sql(`select ${received}`));
  let [end, equal] = [await read(), 0];
  while (equal < EQUAL_READS) {
    await sleep(READ_MILLISECONDS, systemHost);
    const next = await read();
    equal = next === end ? equal + 1 : 0;
    end = next;
  }
  return end;
}
