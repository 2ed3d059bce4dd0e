/** PgBouncer before a PostgreSQL server, on a machine of its own: it can be pointed to another server, killed and started again. */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { canConnect } from "./can-connect.ts";
import { type Machine, spawnOn } from "./machines.ts";
import { asServerUser, own, PASSWORD, type PostgresServer, USER } from "./postgres-server.ts";
import { endServer, runningId } from "./server-process.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

export class Pooler {
  readonly port = 6432;
  readonly machine: Machine;
  readonly #folder: string;
  #process: ChildProcess | null = null;
  #output = "";

  private constructor(machine: Machine, folder: string) {
    this.machine = machine;
    this.#folder = folder;
  }

  static async start(machine: Machine, target: PostgresServer, atEnd: AtEnd): Promise<Pooler> {
    const pooler = new Pooler(machine, temporaryFolder(atEnd));
    own(pooler.#folder);
    writeFileSync(join(pooler.#folder, "users.txt"), `"${USER}" "${PASSWORD}"\n`);
    pooler.#configure(target);
    atEnd(() => pooler.stop("SIGKILL"));
    pooler.start();
    await pooler.ready();
    return pooler;
  }

  start(): void {
    this.#output = "";
    const command = asServerUser(PROGRAM, this.#configFile);
    const child = spawnOn(this.machine, command, { stdio: ["ignore", "ignore", "pipe"], cwd: this.#folder });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      this.#output = (this.#output + chunk).slice(-20_000);
    });
    this.#process = child;
  }

  /** Resolves when it accepts connections. */
  async ready(): Promise<void> {
    await until(async () => {
      if (this.processId === undefined) throw new Error(`pgbouncer ended: ${this.#output}`);
      return canConnect(this.machine.address, this.port);
    }, "the pooler accepts connections");
  }

  /** The end of what it has printed since its start. */
  get output(): string {
    return this.#output;
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = null;
    await endServer(child, signal);
  }

  /** New sessions go to another server; those with the old one last until it ends them. */
  moveTo(target: PostgresServer): void {
    this.#configure(target);
    this.#process?.kill("SIGHUP");
  }

  /** Undefined if it is not running. */
  get processId(): number | undefined {
    return runningId(this.#process);
  }

  get #configFile(): string {
    return join(this.#folder, "pgbouncer.ini");
  }

  #configure({ machine, port }: PostgresServer): void {
    const settings = {
      listen_addr: this.machine.address,
      listen_port: this.port,
      unix_socket_dir: "",
      auth_type: "scram-sha-256",
      auth_file: join(this.#folder, "users.txt"),
      // Listeners and prepared statements belong to a session.
      pool_mode: "session",
      max_client_conn: 300,
      default_pool_size: 100,
      server_connect_timeout: 2,
      server_login_retry: 1,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(
      this.#configFile,
      `[databases]\n* = host=${machine.address} port=${port}\n\n[pgbouncer]\n${lines.join("")}`,
    );
  }
}
