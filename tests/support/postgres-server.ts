/** A PostgreSQL server of its own in a temporary folder, as another user than root: it can be stopped, killed and restarted. */
import { type ChildProcess, type SpawnSyncOptionsWithStringEncoding, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import type { PostgresConfig } from "../../packages/node/src/database/postgres-config.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { findEmbeddedPostgres } from "../../scripts/embedded-postgres.ts";
import type { CertificatePair } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { type Machine, spawnOn, THIS_MACHINE } from "./machines.ts";
import { endServer, runningId } from "./server-process.ts";

export const USER = "cnadmin";
export const PASSWORD = "supersafe";

export interface PostgresOptions {
  /** The folder that holds its data; a temporary one if omitted. */
  readonly folder?: string;
  /** A folder for the write-ahead log outside of that one. */
  readonly walFolder?: string;
  /** A commit is on disk when it is answered. Off if omitted, because tests are faster then. */
  readonly isDurable?: boolean;
  /** Lines of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The machine that it runs on; this one if omitted. */
  readonly machine?: Machine;
  /** An address to listen on beside its machine's. */
  readonly address?: string;
  /** The server's certificate, and the authority of its clients'. */
  readonly certificates?: CertificatePair & { readonly clientAuthority: string };
  /** Lines of pg_hba.conf in place of the usual ones. */
  readonly access?: readonly string[];
}

/** The folder of the newest server's programs, 14 or newer; null if there is none. `CALLSIGN_POSTGRES=npm`: those from npm. */
export function findPostgres(): string | null {
  return process.env["CALLSIGN_POSTGRES"] === "npm"
    ? findEmbeddedPostgres()
    : (findDebian() ?? findEmbeddedPostgres());
}

function findDebian(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => existsSync(`${root}/${version}/bin/postgres`)));
  return newest >= 14 ? `${root}/${newest}/bin` : null;
}

interface ServerPlace {
  readonly bin: string;
  readonly folder: string;
  readonly port: number;
  readonly machine: Machine;
}

export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly machine: Machine;
  readonly #bin: string;
  #process: ChildProcess | null = null;
  #output = "";

  private constructor({ bin, folder, port, machine }: ServerPlace) {
    this.#bin = bin;
    this.folder = folder;
    this.port = port;
    this.machine = machine;
  }

  static async start(options: PostgresOptions, atEnd: AtEnd): Promise<PostgresServer> {
    const bin = findPostgres();
    if (bin === null) throw new Error("there is no PostgreSQL 14 or newer here");
    const { folder = temporaryFolder(atEnd), machine = THIS_MACHINE } = options;
    const server = new PostgresServer({ bin, folder, port: await freePort(), machine });
    server.#initialize(options);
    atEnd(() => server.stop("SIGQUIT"));
    await server.start();
    return server;
  }

  /** A server that follows this one, and can be promoted. */
  async standby(
    atEnd: AtEnd,
    {
      folder = temporaryFolder(atEnd),
      machine = THIS_MACHINE,
    }: Pick<PostgresOptions, "folder" | "machine"> = {},
  ): Promise<PostgresServer> {
    const standby = new PostgresServer({ bin: this.#bin, folder, port: await freePort(), machine });
    atEnd(() => standby.stop("SIGQUIT"));
    await standby.startAsCopyOf(this);
    return standby;
  }

  /** Loses its data, and follows the other server from a copy of that one's. It must not be running. */
  async startAsCopyOf({ machine: { address }, port }: PostgresServer): Promise<void> {
    own(this.folder);
    const data = join(this.folder, "data");
    rmSync(data, { recursive: true, force: true });
    const from = ["-h", address, "-p", `${port}`, "-U", USER];
    const words = [...from, "-D", data, "-R", "-c", "fast", "--no-sync"] as const;
    const command = asServerUser(join(this.#bin, "pg_basebackup"), ...words);
    const env = { ...process.env, PGPASSWORD: PASSWORD, PGCONNECT_TIMEOUT: "3" };
    // Other work of the test goes on meanwhile.
    const child = spawnOn(this.machine, command, {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: this.folder,
      env,
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const [errors, code] = await Promise.all([text(child.stderr as Readable), ended]);
    if (code !== 0) throw new Error(errors);
    const lines = [`port = ${this.port}`, `listen_addresses = '${this.machine.address}'`];
    appendFileSync(join(data, "postgresql.conf"), lines.map((line) => `${line}\n`).join(""));
    await this.start();
  }

  /** Follows another server from now on. */
  async follow({ machine: { address }, port }: PostgresServer): Promise<void> {
    await this.setSetting(
      "primary_conninfo",
      `host=${address} port=${port} user=${USER} password=${PASSWORD}`,
    );
  }

  async setSetting(setting: string, value: string): Promise<void> {
    await this.sql(`alter system set ${setting} = '${value}'`);
    await this.sql("select pg_reload_conf()");
  }

  /** The programs from npm lack the one that copies a server. */
  get canHaveStandby(): boolean {
    return existsSync(join(this.#bin, "pg_basebackup"));
  }

  /** A database of that name, which is made when it is opened. */
  config(database: string, change: Partial<PostgresConfig> = {}): PostgresConfig {
    const { port } = this;
    return {
      host: this.machine.address,
      port,
      user: USER,
      password: PASSWORD,
      database,
      schema: "callsign",
      ...change,
    };
  }

  /** Resolves when it accepts connections. After a kill, sessions of the old server hold its memory for a moment. */
  async start(): Promise<void> {
    await until(() => this.#tryStart(), `PostgreSQL starts in ${this.folder}`);
  }

  /** Undefined if it is not running. */
  get processId(): number | undefined {
    return runningId(this.#process);
  }

  /** The end of what it has printed since its start. */
  get output(): string {
    return this.#output;
  }

  /** SIGTERM waits for sessions, SIGINT ends them, SIGQUIT ends without a checkpoint, SIGKILL is a crash. */
  async stop(signal: "SIGTERM" | "SIGINT" | "SIGQUIT" | "SIGKILL" = "SIGINT"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    await endServer(child, signal);
  }

  /** Runs one statement as an administrator, and answers its first value as text. */
  async sql(statement: string, database = "postgres"): Promise<string> {
    const { host, port, user, password } = this.config(database);
    const types = { getTypeParser: () => String };
    const client = new pg.Client({ host, port, user, password, database, types });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, string>>(statement);
      return Object.values(rows?.[0] ?? {})[0] ?? "";
    } finally {
      await client.end();
    }
  }

  #initialize(options: PostgresOptions): void {
    const { walFolder, isDurable = false, settings = {}, certificates, access, address } = options;
    const data = join(this.folder, "data");
    const password = join(this.folder, "password");
    writeFileSync(password, PASSWORD);
    for (const each of [this.folder, walFolder]) if (each !== undefined) own(each);
    const args = ["--pgdata", data, "--username", USER, "--pwfile", password, "--auth", "scram-sha-256"];
    const wal = walFolder === undefined ? [] : ["--waldir", join(walFolder, "wal")];
    const kind = ["--no-sync", "--no-instructions", "--locale=C", "--encoding=UTF8", "--wal-segsize=1"];
    const made = this.#run("initdb", [...args, ...wal, ...kind], process.env);
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    if (certificates !== undefined) writeCertificates(data, certificates);
    const tls = { ssl: "on", ssl_ca_file: "root.crt" };
    const lines = Object.entries({
      listen_addresses: [this.machine.address, ...(address === undefined ? [] : [address])].join(","),
      port: `${this.port}`,
      unix_socket_directories: "",
      fsync: isDurable ? "on" : "off",
      max_connections: "300",
      shared_buffers: "16MB",
      max_wal_size: "32MB",
      min_wal_size: "2MB",
      ...(certificates === undefined ? {} : tls),
      ...settings,
    });
    appendFileSync(
      join(data, "postgresql.conf"),
      lines.map(([name, value]) => `${name} = '${value}'\n`).join(""),
    );
    if (access !== undefined)
      writeFileSync(join(data, "pg_hba.conf"), access.map((line) => `${line}\n`).join(""));
  }

  #run(program: string, args: readonly string[], env: SpawnSyncOptionsWithStringEncoding["env"]) {
    const [command, ...given] = this.machine.on(...asServerUser(join(this.#bin, program), ...args));
    return spawnSync(command, given, { encoding: "utf8", cwd: this.folder, env });
  }

  async #tryStart(): Promise<boolean> {
    this.#output = "";
    const command = asServerUser(join(this.#bin, "postgres"), "-D", join(this.folder, "data"));
    const child = spawnOn(this.machine, command, { stdio: ["ignore", "ignore", "pipe"], cwd: this.folder });
    this.#process = child;
    return new Promise((resolve) => {
      child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-20_000);
        if (/ready to accept (?:read-only )?connections/.test(this.#output)) resolve(true);
      });
      child.once("close", () => resolve(false));
    });
  }
}

/** The command line of a program as another user than root, which PostgreSQL and its pooler refuse to be. */
export function asServerUser(program: string, ...args: readonly string[]): readonly [string, ...string[]] {
  if (!isRoot()) return [program, ...args];
  const { uid, gid } = SERVER_USER;
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", program, ...args];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const NOBODY = { uid: 65_534, gid: 65_534 };
const SERVER_USER = findServerUser();

function findServerUser(): { readonly uid: number; readonly gid: number } {
  const { stdout } = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
  const uid = Number(stdout);
  const gid = Number(spawnSync("id", ["-g", "postgres"], { encoding: "utf8" }).stdout);
  return Number.isInteger(uid) && uid > 0 && Number.isInteger(gid) ? { uid, gid } : NOBODY;
}

function writeCertificates(data: string, pair: NonNullable<PostgresOptions["certificates"]>): void {
  const texts = {
    "server.crt": pair.certificate,
    "server.key": pair.privateKey,
    "root.crt": pair.clientAuthority,
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (isRoot()) chownSync(path, SERVER_USER.uid, SERVER_USER.gid);
  }
}

/** Makes a folder that the server may write to. */
export function own(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (isRoot()) chownSync(folder, SERVER_USER.uid, SERVER_USER.gid);
}
