/** Other stores with the same names: etcd by itself, Redis and PostgreSQL behind a bare HTTP server, nginx with a file for each name. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { until } from "../../../packages/node/testing/until.ts";
import { installDebianPackage } from "../../../scripts/debian-packages.ts";
import { freePort } from "../../../tests/support/free-port.ts";
import { PASSWORD, PostgresServer, USER } from "../../../tests/support/postgres-server.ts";
import { endServer } from "../../../tests/support/server-process.ts";
import { processorTimeOf } from "../../network-load/process-time.ts";
import type { Loaded } from "../compare-with-bare.ts";
import { MeasuredServer } from "../measured-server.ts";

export interface Named {
  readonly name: string;
  readonly body: string;
}

export interface Peer {
  readonly what: string;
  readonly server: Loaded;
  readonly request: (name: string) => { readonly path: string; readonly body?: string };
}

export interface PeerPlace {
  readonly folder: string;
  readonly names: readonly Named[];
  readonly atEnd: (end: () => void | Promise<void>) => void;
}

/** A peer, or the reason why it cannot be had here. */
export type FoundPeer = Peer | string;

const PUTS_AT_ONCE = 64;

export async function startEtcd({ folder, names, atEnd }: PeerPlace): Promise<FoundPeer> {
  const missing = await installDebianPackage("etcd-server");
  if (missing !== null) return missing;
  const [port, peerPort] = [await freePort(), await freePort()];
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peerUrl,
    "initial-advertise-peer-urls": peerUrl,
    "initial-cluster": `default=${peerUrl}`,
    logger: "zap",
    "log-outputs": "/dev/null",
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = start("etcd", [...words], { ETCD_UNSUPPORTED_ARCH: "arm64" });
  atEnd(() => endServer(child, "SIGKILL"));
  await reachable(port);
  const encode = (text: string) => Buffer.from(text).toString("base64");
  await inParallel(names, async ({ name, body }) => {
    const put = JSON.stringify({ key: encode(name), value: encode(body) });
    const answer = await fetch(`${url}/v3/kv/put`, { method: "POST", body: put });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  return {
    what: "etcd, JSON",
    server: { port, processorTime: () => processorTimeOf(idOf(child)) },
    request: (name) => ({ path: "/v3/kv/range", body: JSON.stringify({ key: encode(name) }) }),
  };
}

export async function startRedis({ names, atEnd }: PeerPlace): Promise<FoundPeer> {
  const missing = await installDebianPackage("redis-server");
  if (missing !== null) return missing;
  const port = await freePort();
  const child = start("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""]);
  atEnd(() => endServer(child, "SIGKILL"));
  await reachable(port);
  await setAll(port, names);
  const front = await MeasuredServer.start("peers/serve-store.ts", ["redis", port]);
  atEnd(() => front.stop());
  return {
    what: "Redis behind bare HTTP",
    server: {
      port: front.port,
      processorTime: async () => (await front.processorTime()) + processorTimeOf(idOf(child)),
    },
    request: (name) => ({ path: `/${name}` }),
  };
}

export async function startPostgres({ names, atEnd }: PeerPlace): Promise<FoundPeer> {
  const missing = await installDebianPackage("postgresql");
  if (missing !== null) return missing;
  const server = await PostgresServer.start({}, atEnd);
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${server.port}/postgres`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create table name (name text primary key, body text not null)");
  for (let i = 0; i < names.length; i += 1000) {
    const part = names.slice(i, i + 1000);
    await client.query("insert into name select * from unnest($1::text[], $2::text[])", [
      part.map(({ name }) => name),
      part.map(({ body }) => body),
    ]);
  }
  await client.query("vacuum analyze name");
  await client.end();
  const front = await MeasuredServer.start("peers/serve-store.ts", ["postgres", url]);
  atEnd(() => front.stop());
  const first = Number(readFileSync(join(server.folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  return {
    what: "PostgreSQL behind bare HTTP",
    server: {
      port: front.port,
      processorTime: async () => (await front.processorTime()) + timeOfAll(first),
    },
    request: (name) => ({ path: `/${name}` }),
  };
}

export async function startNginx({ folder, names, atEnd }: PeerPlace): Promise<FoundPeer> {
  const missing = await installDebianPackage("nginx-light");
  if (missing !== null) return missing;
  const [port, files] = [await freePort(), join(folder, "files")];
  mkdirSync(files);
  // Its worker is another user.
  for (const each of [folder, files]) chmodSync(each, 0o755);
  for (const { name, body } of names) writeFileSync(join(files, name), body);
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log /dev/null;
     events { worker_connections 512; }
     http { access_log off; default_type application/json; keepalive_requests 100000000; sendfile on;
       open_file_cache max=200000; server { listen 127.0.0.1:${port}; root ${files}; } }`,
  );
  const child = start("nginx", ["-c", config]);
  atEnd(() => endServer(child, "SIGTERM"));
  await reachable(port);
  return {
    what: "nginx, files",
    server: { port, processorTime: () => timeOfAll(idOf(child)) },
    request: (name) => ({ path: `/${name}` }),
  };
}

function start(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn("taskset", ["-c", "0", program, ...words], {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin`, ...env },
  });
}

function idOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the peer did not start");
  return pid;
}

/** A process and those that it has started. */
function timeOfAll(pid: number): number {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return started.reduce((sum, each) => sum + timeOfAll(Number(each)), processorTimeOf(pid));
}

function reachable(port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  return until(isOpen, `something listens on port ${port}`, 10_000);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, run));
}

function setAll(port: number, names: readonly Named[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let answers = 0;
    socket.once("error", reject).on("data", (chunk) => {
      answers += chunk.toString("latin1").split("+OK\r\n").length - 1;
      if (answers >= names.length) {
        socket.end();
        resolve();
      }
    });
    for (const { name, body } of names)
      socket.write(`*3\r\n$3\r\nSET\r\n$${name.length}\r\n${name}\r\n$${body.length}\r\n${body}\r\n`);
  });
}
