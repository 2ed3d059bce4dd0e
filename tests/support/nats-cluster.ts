/** NATS nodes with JetStream on loopback, each in a folder of its own: they can be stopped, killed, paused and started again. */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { NatsLogConfig } from "../../packages/synchronizer/src/log/nats-config.ts";
import { findNatsServer } from "../../scripts/nats-server.ts";
import { askForService } from "./ask-for-service.ts";
import { freePort } from "./free-port.ts";
import { type Machine, spawnOn, THIS_MACHINE } from "./machines.ts";
import { endServer, runningId } from "./server-process.ts";

export const NATS_USER = "log";
export const NATS_SYSTEM_USER = "system";
export const NATS_PASSWORD = "supersafe";

export interface NatsOptions {
  /** Three if omitted. */
  readonly nodes?: number;
  /** The machines of the nodes; all on loopback if omitted. */
  readonly machines?: readonly Machine[];
  /** The folders of the nodes' data; temporary ones if omitted. */
  readonly folders?: readonly string[];
  /** Settings of JetStream beside the folder; synced writes if omitted. */
  readonly jetstream?: Readonly<Record<string, unknown>>;
  /** Settings of the server in place of the usual ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

interface NodePlace {
  readonly name: string;
  readonly machine: Machine;
  readonly port: number;
  readonly monitoringPort: number;
  readonly configFile: string;
}

export class NatsNode {
  readonly name: string;
  readonly port: number;
  readonly #place: NodePlace;
  #process: ChildProcess | null = null;
  #output = "";

  constructor(place: NodePlace) {
    this.#place = place;
    this.name = place.name;
    this.port = place.port;
  }

  get url(): string {
    return `nats://${this.#place.machine.address}:${this.port}`;
  }

  get machine(): Machine {
    return this.#place.machine;
  }

  /** Undefined if it is not running. */
  get processId(): number | undefined {
    return runningId(this.#process);
  }

  /** The end of what it has printed since its start. */
  get output(): string {
    return this.#output;
  }

  /** Starts the process; `ready` tells when it serves. */
  start(): void {
    const program = findNatsServer();
    if (program === null) throw new Error("there is no nats-server here");
    this.#output = "";
    const { machine, configFile } = this.#place;
    const child = spawnOn(machine, [program, "-c", configFile], { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      this.#output = (this.#output + chunk).slice(-20_000);
    });
    this.#process = child;
  }

  /** Resolves when its JetStream is up, has a leader and has caught up. */
  async ready(): Promise<void> {
    await until(async () => {
      if (this.#process?.exitCode !== null) throw new Error(`nats-server ended: ${this.#output}`);
      return (await this.#health()) === 200;
    }, `the NATS node ${this.name} is healthy`);
  }

  /** SIGKILL is a crash. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGKILL"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    await endServer(child, signal);
  }

  /** The process stands still, with its connections open. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async #health(): Promise<number> {
    try {
      const { machine, monitoringPort } = this.#place;
      return (await fetch(`http://${machine.address}:${monitoringPort}/healthz`)).status;
    } catch {
      return 0;
    }
  }
}

export class NatsCluster {
  readonly nodes: readonly NatsNode[];

  private constructor(nodes: readonly NatsNode[]) {
    this.nodes = nodes;
  }

  static async start(options: NatsOptions, atEnd: AtEnd): Promise<NatsCluster> {
    const cluster = new NatsCluster(await layOut(options, atEnd));
    atEnd(async () => {
      await Promise.all(cluster.nodes.map((node) => node.stop()));
    });
    for (const node of cluster.nodes) node.start();
    await Promise.all(cluster.nodes.map((node) => node.ready()));
    return cluster;
  }

  get servers(): readonly string[] {
    return this.nodes.map(({ url }) => url);
  }

  /** The settings of a log on these servers. */
  log(stream: string, change: Partial<NatsLogConfig> = {}): NatsLogConfig {
    return {
      servers: this.servers,
      stream,
      login: { user: NATS_USER, password: NATS_PASSWORD },
      systemLogin: { user: NATS_SYSTEM_USER, password: NATS_PASSWORD },
      ...change,
    };
  }

  node(name: string): NatsNode {
    const found = this.nodes.find((node) => node.name === name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found;
  }
}

async function layOut(options: NatsOptions, atEnd: AtEnd): Promise<readonly NatsNode[]> {
  const {
    nodes = 3,
    machines = [],
    folders = [],
    jetstream = { sync_interval: "always" },
    settings = {},
  } = options;
  const folder = temporaryFolder(atEnd);
  const places: (NodePlace & { readonly routePort: number })[] = [];
  for (let i = 1; i <= nodes; i++) {
    const ports = { port: await freePort(), routePort: await freePort(), monitoringPort: await freePort() };
    const machine = machines[i - 1] ?? THIS_MACHINE;
    places.push({ name: `node-${i}`, machine, configFile: join(folder, `node-${i}.conf`), ...ports });
  }
  const routes = places.map(({ machine, routePort }) => `nats://${machine.address}:${routePort}`);
  for (const [i, { name, machine, port, routePort, monitoringPort, configFile }] of places.entries()) {
    const { address } = machine;
    const cluster = { name: "callsign", listen: `${address}:${routePort}`, routes, no_advertise: true };
    const config = {
      server_name: name,
      listen: `${address}:${port}`,
      http: `${address}:${monitoringPort}`,
      max_payload: 20_000_000,
      jetstream: { store_dir: join(folders[i] ?? folder, name), ...jetstream },
      accounts: {
        LOG: { jetstream: "enabled", users: [{ user: NATS_USER, password: NATS_PASSWORD }] },
        SYSTEM: { users: [{ user: NATS_SYSTEM_USER, password: NATS_PASSWORD }] },
      },
      system_account: "SYSTEM",
      ...(nodes > 1 ? { cluster } : {}),
      ...settings,
    };
    // The server's configuration format includes JSON.
    writeFileSync(configFile, JSON.stringify(config));
  }
  return places.map((place) => new NatsNode(place));
}

/** A cluster for a test or a file; skipped with the reason where there is no server. */
export async function startNatsCluster(
  options: NatsOptions,
  atEnd: AtEnd,
  test?: Pick<TestContext, "skip">,
): Promise<NatsCluster> {
  await askForService("nats-server", test);
  return NatsCluster.start(options, atEnd);
}
