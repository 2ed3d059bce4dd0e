/** Four organisations with an SV each on one log, on a PostgreSQL server whose standby takes over without the last batches. */
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Metrics, silentLog, systemHost } from "@callsign/node";
import { onTestFinished, type TestContext } from "vitest";
import { createClient, scanApi } from "../../packages/api/src/index.ts";
import type { RunningRole } from "../../packages/cli/src/run/role.ts";
import { svRole } from "../../packages/cli/src/run/run-sv.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { POSTGRES_RISKS } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { freePort } from "../support/free-port.ts";
import { ownServer } from "../support/postgres.ts";
import { PASSWORD, type PostgresServer, USER } from "../support/postgres-server.ts";
import { chainContents } from "../synchronizer/log-entries.ts";
import { draft, type Organisation, organisation, signAll, succeeded, writeCard } from "./founding-kit.ts";
import { type CommandOutcome, runWith } from "./run-here.ts";
import { setupOf, writeParts } from "./setup-kit.ts";

export class RestoredNetwork {
  readonly organisations: readonly Organisation[];
  readonly servers: readonly [PostgresServer, PostgresServer];
  readonly #ports: readonly number[];
  readonly #running = new Map<number, RunningRole>();

  private constructor(
    servers: RestoredNetwork["servers"],
    organisations: readonly Organisation[],
    ports: readonly number[],
  ) {
    this.servers = servers;
    this.organisations = organisations;
    this.#ports = ports;
  }

  /** Founded, with all SVs running, which have published their URLs. */
  static async start(context: Pick<TestContext, "skip">): Promise<RestoredNetwork> {
    const primary = await ownServer({}, onTestFinished, context);
    if (!primary.canHaveStandby) context.skip("PostgreSQL has no pg_basebackup here");
    const servers = [primary, await primary.standby(onTestFinished)] as const;
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
    const postgres = { hosts, user: USER, password: PASSWORD, databaseName: "log", schema: "callsign" };
    const log = { kind: "postgres", postgres, accept: POSTGRES_RISKS };
    const folder = temporaryFolder();
    const ports = await Promise.all([1, 2, 3, 4].map(freePort));
    const organisations = ports.map((sequencer, i) => {
      const name = `sv-${i + 1}`;
      const svs = [{ name, ports: { scan: 0, sequencer, app: 0 } }];
      return organisation(name, { folder, change: { log, svs } });
    });
    const network = new RestoredNetwork(servers, organisations, ports);
    await network.#found();
    return network;
  }

  async #found(): Promise<void> {
    for (const each of this.organisations) await writeCard(each);
    const path = await draft(this.organisations);
    const signatures = await signAll(this.organisations, path);
    const [first] = this.organisations as [Organisation];
    succeeded(await first.run(["network", "found", path, ...signatures]));
    for (const number of [1, 2, 3, 4]) await this.open(number);
    for (const number of [1, 2, 3, 4]) {
      const scan = createClient(scanApi, { fetch, baseUrl: this.#addressOf(number, "scan") });
      const areListed = async () => {
        const { domainSequencers } = await scan.listDsoSequencers();
        return domainSequencers.flatMap(({ sequencers }) => sequencers).length === 4;
      };
      await until(areListed, "all SVs have published their URLs");
    }
  }

  async open(number: number): Promise<void> {
    const { values } = this.organisations[number - 1] as Organisation;
    const setup = setupOf(readSvSetup(writeParts({ files: [values] })));
    const role = await svRole(setup, systemHost).start({
      ...{ host: systemHost, log: silentLog, metrics: new Metrics() },
      waitFor: () => undefined,
      stopping: new AbortController().signal,
    });
    this.#running.set(number, role);
    onTestFinished(() => role.close());
  }

  /** Takes calls at the URL of a stopped SV, and answers none. */
  async listenSilently(number: number): Promise<{ called: Promise<void>; close: () => Promise<void> }> {
    const called = Promise.withResolvers<void>();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once("data", () => called.resolve());
    });
    await new Promise<void>((resolve) => server.listen(this.#ports[number - 1], "127.0.0.1", resolve));
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    };
    return { called: called.promise, close };
  }

  async close(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await this.#running.get(number)?.close();
      this.#running.delete(number);
    }
  }

  /** Resolves once the SVs are ready. */
  async ready(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      const isReady = async () => (await this.missing(number)) === null;
      await until(isReady, `sv-${number} is ready`).catch(async (error: unknown) => {
        throw new Error(`sv-${number}: ${await this.missing(number)}`, { cause: error });
      });
    }
  }

  /** The reason why the SV's sequencer is not ready, as its API says; null if it is. */
  async missing(number: number): Promise<string | null> {
    const { status, headers } = await fetch(`http://127.0.0.1:${this.#ports[number - 1]}/readyz`);
    return status === 200 ? null : headers.get("x-callsign-missing");
  }

  /** The last entry that the SV's replica has applied, with its digest. */
  async digestOf(number: number): Promise<readonly [number, string]> {
    const answer = await fetch(`http://127.0.0.1:${this.#ports[number - 1]}/v1/network`);
    const { sequence, digest } = (await answer.json()) as { sequence: number; digest: string };
    return [sequence, digest];
  }

  /** Resolves once these SVs have applied the same entries with the same outcomes. */
  async agree(...numbers: readonly number[]): Promise<void> {
    const areSame = async () =>
      new Set(await Promise.all(numbers.map(async (each) => String(await this.digestOf(each))))).size === 1;
    await until(areSame, "the SVs agree");
  }

  async withLog<T>(act: (log: OrderedLog) => Promise<T>): Promise<T> {
    const [{ port }, standby] = this.servers;
    const config = {
      ...standby.config("log"),
      port,
      otherPlaces: [{ host: "127.0.0.1", port: standby.port }],
    };
    const parts = { host: systemHost, log: silentLog, acceptedRisks: POSTGRES_RISKS };
    const log = await openPostgresLog(config, parts);
    try {
      return await act(log);
    } finally {
      await log.close();
    }
  }

  /** Entries without an effect, in one batch. Anybody with access to the log can append them. */
  append(contents: readonly string[]): Promise<LogHead> {
    return this.withLog(async (log) => {
      for (;;) {
        const batch = chainContents(await log.head(), contents);
        if ((await log.append(batch)).appended) return batch.head;
      }
    });
  }

  /** The copy of a stopped SV. */
  async withCopy<T>(number: number, act: (copy: SqliteLog) => Promise<T>): Promise<T> {
    const { dataFolder } = this.organisations[number - 1] as Organisation;
    const copy = new SqliteLog(join(dataFolder, "log-copy.db"), systemHost);
    try {
      return await act(copy);
    } finally {
      await copy.close();
    }
  }

  /** The standby takes over, with the batches that it had before it was stopped. */
  async failOver(): Promise<void> {
    const [primary, standby] = this.servers;
    await primary.stop("SIGKILL");
    await standby.start();
    await standby.sql("select pg_promote()");
  }

  /** Runs the command beside an SV. */
  restore(number: number, ...words: readonly string[]): Promise<CommandOutcome> {
    return runWith(["log", "restore", ...words], { files: [this.valuesOf(number)] });
  }

  valuesOf(number: number): Organisation["values"] {
    return (this.organisations[number - 1] as Organisation).values;
  }

  #addressOf(number: number, what: string): string {
    const { addresses } = this.#running.get(number) as RunningRole;
    return addresses[`${what} of sv-${number}`] ?? "";
  }
}
