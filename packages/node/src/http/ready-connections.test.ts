import { connect, type Socket } from "node:net";
import { type Api, defineEndpoints, json, SpliceError } from "@callsign/api";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { until } from "../../testing/until.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { exposeMetrics } from "../observability/exposition.ts";
import { silentLog } from "../observability/log.ts";
import { Metrics } from "../observability/metrics.ts";
import { systemHost } from "../system-host.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "./http-server.ts";
import { ARRIVAL_MILLISECONDS, KEEP_ALIVE_MILLISECONDS } from "./limits.ts";
import { mountApi, openToAll } from "./mount-api.ts";

const endpoint = { method: "GET", summary: "", success: json(z.string()), errors: [] } as const;
const endpoints = defineEndpoints({ tags: ["all"], auth: "none" })({
  ready: { ...endpoint, path: "/ready" },
  long: { ...endpoint, path: "/long" },
  made: { ...endpoint, path: "/made" },
});
const api = {
  ...{ name: "test", title: "", version: "1", description: "", basePath: "", dialect: "splice" },
  ...{ tags: { all: "" }, errorBody: SpliceError, maxBodyBytes: 1000, endpoints },
} as const satisfies Api;

const SHORT = "gr\u00fc\u00dfe";
const LONG = "x".repeat(100_000);
/** The ready answers by their targets. */
const READY: Readonly<Record<string, string>> = { "/ready": SHORT, "/long": LONG };

/** Requests that `node:http` read, and the server's side of all connections. */
let byNode: string[] = [];
let sockets: Socket[] = [];
beforeEach(() => {
  byNode = [];
  sockets = [];
});

async function serve(given: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const { system = systemHost, ...options } = given;
  const mount = mountApi(api, {
    ...openToAll,
    headers: () => ({ "x-of-all": "1" }),
    handlers: { ready: () => SHORT, long: () => LONG, made: () => "made" },
  });
  const findReady = (target: string) => {
    const body = READY[target];
    if (body === undefined) return null;
    const headers = { "content-type": "application/json" };
    const found = target === "/long" ? endpoints.long : endpoints.ready;
    return { endpoint: found, status: 200, headers, body: JSON.stringify(body) };
  };
  const createServer: typeof systemHost.http.createServer = (settings) =>
    systemHost.http
      .createServer(settings)
      .on("request", ({ url }) => void byNode.push(url ?? ""))
      .on("connection", (socket: Socket) => void sockets.push(socket));
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts: [{ ...mount, findReady }], log: silentLog },
    ...options,
    system: { ...system, http: { ...systemHost.http, createServer } },
  });
  onTestFinished(() => server.close());
  return server;
}

class Caller {
  readonly socket: Socket;
  read = "";
  isClosed = false;

  constructor({ port }: HttpServer) {
    this.socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void this.socket.destroy());
    this.socket.setEncoding("utf8").on("data", (text: string) => {
      this.read += text;
    });
    this.socket
      .on("error", () => undefined)
      .once("close", () => {
        this.isClosed = true;
      });
  }

  send(...requests: readonly string[]): void {
    this.socket.write(requests.join(""));
  }

  /** The bodies so far; a JSON text each. */
  get bodies(): readonly string[] {
    return [...this.read.matchAll(/\r\n\r\n("[^"]*")/g)].map(([, body = ""]) => JSON.parse(body) as string);
  }

  async bodiesOf(count: number): Promise<readonly string[]> {
    await until(() => this.bodies.length >= count, `there are ${count} answers`);
    return this.bodies;
  }
}

const get = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;

test.each(["/ready", "/long"])(
  "the ready answer of %s has the bytes and headers that node:http would have sent",
  async (target) => {
    const caller = new Caller(await serve());
    caller.send(get(target));
    await caller.bodiesOf(1);
    expect(byNode).toEqual([]);
    const direct = caller.read;
    caller.read = "";
    caller.send(get(target, "content-type: text/plain\r\n"));
    await caller.bodiesOf(1);
    expect(byNode).toEqual([target]);
    const withoutDate = (text: string) => text.replace(/^Date: .*\r\n/m, "");
    expect(withoutDate(direct)).toBe(withoutDate(caller.read));
    expect(direct).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
  },
);

test("requests in one packet are answered in their order, whoever reads them", async () => {
  const caller = new Caller(await serve());
  const [ready, made] = [get("/ready"), get("/made")];
  caller.send(ready, ready, made, ready, "HEAD /ready HTTP/1.1\r\nhost: localhost\r\n\r\n", made);
  expect(await caller.bodiesOf(5)).toEqual([SHORT, SHORT, "made", SHORT, "made"]);
  expect(caller.read.split("HTTP/1.1 200 OK\r\n")).toHaveLength(7);
  expect(byNode).toEqual(["/made", "/ready", "/ready", "/made"]);
});

test("a connection stays open, and its caller may change to any other request", async () => {
  const caller = new Caller(await serve());
  for (let i = 1; i <= 3; i++) {
    caller.send(get("/ready"));
    await caller.bodiesOf(i);
  }
  caller.send(get("/made"));
  expect((await caller.bodiesOf(4))[3]).toBe("made");
  caller.send(get("/nothing", "connection: close\r\n"));
  await until(() => caller.isClosed, "the connection is closed");
  expect(caller.read).toContain("HTTP/1.1 404 Not Found");
});

test("a request that arrives in pieces is answered, also behind another", async () => {
  const caller = new Caller(await serve());
  caller.socket.setNoDelay(true);
  caller.send(get("/ready"), "GET /rea");
  await caller.bodiesOf(1);
  for (const piece of ["dy HT", "TP/1.1\r\nhost: local", "host\r\n\r", "\n"]) {
    caller.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await caller.bodiesOf(2)).toEqual([SHORT, SHORT]);
});

test("a caller that ends its side is answered first", async () => {
  const caller = new Caller(await serve());
  caller.socket.end(get("/ready") + get("/long"));
  await until(() => caller.isClosed, "the connection is closed");
  expect(caller.bodies).toEqual([SHORT, LONG]);
});

test("a caller that takes no answers is asked for no more requests, and gets all of them in the end", async () => {
  const caller = new Caller(await serve());
  caller.socket.setNoDelay(true).pause();
  const count = 300;
  for (let i = 0; i < count; i++) {
    caller.send(get("/long"));
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The answers are 30 MB, of which the system's own buffers hold a part.
  expect(sockets[0]?.writableLength).toBeGreaterThan(0);
  expect(sockets[0]?.writableLength).toBeLessThan(10 * LONG.length);
  const closed = new Promise((resolve) => caller.socket.once("close", resolve));
  caller.socket.resume();
  caller.socket.end();
  await closed;
  expect(caller.bodies).toHaveLength(count);
});

test("a caller that calls too often is refused, as one of any other request, and counted once", async () => {
  const metrics = new Metrics();
  const callRates = { perAddress: { perSecond: 0.001, burst: 2 } };
  const caller = new Caller(await serve({ callRates, metrics }));
  caller.send(get("/ready"), get("/ready"), get("/ready"));
  await until(() => caller.read.includes(" 429 "), "a request is refused");
  expect(caller.bodies).toHaveLength(2);
  const { body } = await exposeMetrics(metrics, undefined, systemHost.timers);
  const counts = [
    ...Buffer.from(body)
      .toString()
      .matchAll(/splice_rate_limiting_total\{.*result="(\w+)".*\} (\d+)/g),
  ];
  expect(new Map(counts.map(([, result, count]) => [result, count]))).toEqual(
    new Map([
      ["accepted", "2"],
      ["rejected", "1"],
    ]),
  );
});

test("a foreign host name is refused", async () => {
  const caller = new Caller(await serve());
  caller.send("GET /ready HTTP/1.1\r\nhost: evil.example\r\n\r\n");
  await until(() => caller.read.includes("HTTP/1.1 403"), "the request is refused");
  expect(caller.read).not.toContain(SHORT);
});

test("bytes that are no HTTP are refused, also behind a request", async () => {
  const caller = new Caller(await serve());
  caller.send(get("/ready"), "\x16\x03\x01 no HTTP\r\n\r\n");
  await until(() => caller.isClosed, "the connection is closed");
  expect(caller.bodies).toEqual([SHORT]);
  expect(caller.read).toContain("HTTP/1.1 400 ");
});

test("the server closes while callers hold connections open", async () => {
  const server = await serve();
  const [idle, used, silent] = [new Caller(server), new Caller(server), new Caller(server)];
  used.send(get("/ready"));
  idle.send(get("/made"));
  await Promise.all([used.bodiesOf(1), idle.bodiesOf(1)]);
  const closing = server.close();
  await until(() => idle.isClosed && used.isClosed && silent.isClosed, "all connections are closed", 5000);
  await closing;
});

test("a connection without any request is told that it was too slow", async () => {
  const host = new VirtualHost();
  const caller = new Caller(await serve({ system: host }));
  await until(() => sockets.length > 0, "the connection is open");
  await host.advance(ARRIVAL_MILLISECONDS - 1000);
  expect(sockets[0]?.writable).toBe(true);
  await host.advance(2000);
  await until(() => caller.isClosed, "the connection is closed");
  expect(caller.read).toContain("HTTP/1.1 408 ");
  expect(host.waiting).toBe(0);
});

test("a connection that stays idle behind its answers is closed", async () => {
  const host = new VirtualHost();
  const caller = new Caller(await serve({ system: host }));
  for (let i = 1; i <= 2; i++) {
    caller.send(get("/ready"));
    await caller.bodiesOf(i);
    await host.advance(KEEP_ALIVE_MILLISECONDS - 1000);
    expect(sockets[0]?.destroyed).toBe(false);
  }
  caller.read = "";
  await host.advance(3000);
  await until(() => caller.isClosed, "the connection is closed");
  expect(caller.read).toBe("");
  expect(host.waiting).toBe(0);
});

test("of connections that answer, the one that has been idle for longest makes room", async () => {
  const server = await serve({ maxConnections: 2, host: "0.0.0.0" });
  const [first, second] = [new Caller(server), new Caller(server)];
  for (const caller of [first, second, first]) {
    caller.read = "";
    caller.send(get("/ready"));
    await caller.bodiesOf(1);
  }
  const third = new Caller(server);
  third.send(get("/ready"));
  await third.bodiesOf(1);
  await until(() => second.isClosed, "the second connection is closed");
  expect(first.isClosed).toBe(false);
});
