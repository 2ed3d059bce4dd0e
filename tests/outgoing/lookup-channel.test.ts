// A lookup channel between a real client and a real server: over TLS and a proxy, and when either end misbehaves.

import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  type Api,
  defineEndpoints,
  json,
  LOOKUP_CHANNEL_PATH,
  LOOKUP_CHANNEL_PROTOCOL,
  SpliceError,
} from "@callsign/api";
import {
  type AnswerStanding,
  type Host,
  LookupChannel,
  type OutgoingOptions,
  systemHost,
} from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { listen } from "../../packages/api/testing/table-server.ts";
import { type HttpServerOptions, startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { type MountedApi, mountApi, openToAll } from "../../packages/node/src/http/mount-api.ts";
import { exposeMetrics } from "../../packages/node/src/observability/exposition.ts";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { runInTrace } from "../../packages/node/src/observability/trace-context.ts";
import { startForwardProxy } from "../../packages/node/testing/forward-proxy.ts";
import { readLogLines } from "../../packages/node/testing/log-lines.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { VirtualHost } from "../../packages/node/testing/virtual-host.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";

const endpoints = defineEndpoints({ tags: ["all"], auth: "none" })({
  read: {
    ...{ method: "GET", path: "/v0/read/{word}", summary: "", errors: [404] },
    success: json(z.object({ word: z.string() })),
  },
});
const api = {
  ...{ name: "words", title: "", version: "1", description: "", basePath: "/api/words", dialect: "splice" },
  ...{ tags: { all: "" }, errorBody: SpliceError, maxBodyBytes: 1000, endpoints },
} as const satisfies Api;

const ANSWERED = "answered by a request";

/** Words are ready in small letters, numbers are not found, and all others are left to requests. */
async function serve(
  options: Partial<HttpServerOptions> = {},
  telling: Pick<MountedApi, "onReadyChanged"> = {},
) {
  const file = join(temporaryFolder(), "node.log");
  const metrics = new Metrics();
  const mount = mountApi(api, {
    ...openToAll,
    headers: () => ({ "x-version": "7" }),
    handlers: { read: () => ({ word: ANSWERED }) },
  });
  const asked: (string | undefined)[] = [];
  const findReady = (target: string, headers: Readonly<Record<string, unknown>>) => {
    const [, word = ""] = /^\/v0\/read\/(.*)$/.exec(target) ?? [];
    asked.push(headers["x-like"] as string | undefined);
    if (!/^[a-z0-9]+$/.test(word)) return null;
    const body = JSON.stringify({ word: `${word} — ü` });
    return { endpoint: endpoints.read, status: /^\d/.test(word) ? 404 : 200, headers: {}, body };
  };
  const server = await startHttpServer({
    ...{
      host: "127.0.0.1",
      port: 0,
      mounts: [{ ...mount, findReady, hasReadyChannel: true, ...telling }],
      system: systemHost,
      metrics,
    },
    log: createLog({ level: "debug", file }),
    ...options,
  });
  onTestFinished(() => server.close());
  const readMetrics = async () =>
    Buffer.from((await exposeMetrics(metrics, undefined, systemHost.timers)).body).toString();
  return {
    ...server,
    baseUrl: server.url + api.basePath,
    asked,
    lines: () => readLogLines(file),
    readMetrics,
  };
}

function openChannel(baseUrl: string, outgoing: OutgoingOptions = {}, host: Host = systemHost) {
  const client = systemHost.http.openClient(outgoing);
  onTestFinished(() => client.close());
  const channel = new LookupChannel({ baseUrl, client, host, timeoutMilliseconds: 60_000 });
  onTestFinished(() => channel.close());
  const ask = (word: string, headers = {}) =>
    new Promise((resolve) => {
      if (!channel.ask({ target: `/v0/read/${word}`, headers }, resolve)) resolve("no channel");
    });
  return {
    channel,
    client,
    ask,
    opened: () => until(async () => (await ask("a")) !== "no channel", "it is open"),
  };
}

const answer = (word: string, status = 200) => ({
  status,
  headers: { "x-version": "7" },
  body: JSON.stringify({ word: `${word} — ü` }),
});

test("questions are answered in their order, and those that are not ready are left to requests", async () => {
  const { baseUrl, asked } = await serve();
  const { ask, opened } = openChannel(baseUrl);
  expect(await ask("early")).toBe("no channel");
  await opened();
  asked.splice(0);
  const words = ["a", "Later", "404", "b"];
  const answers = await Promise.all(words.map((word) => ask(word, { "x-like": word })));
  expect(answers).toEqual([answer("a"), null, answer("404", 404), answer("b")]);
  expect(asked).toEqual(words);
});

test("a server that tells says once that it has moved, after answers that it gave", async () => {
  const listeners: (() => void)[] = [];
  const { baseUrl } = await serve({}, { onReadyChanged: (listener) => void listeners.push(listener) });
  const { channel, opened } = openChannel(baseUrl);
  const ask = () =>
    new Promise<AnswerStanding | null>((resolve) => {
      channel.ask({ target: "/v0/read/a", headers: {} }, (_, standing) => resolve(standing));
    });
  await opened();
  const move = () => {
    for (const listener of listeners) listener();
  };
  const [first, second] = [await ask(), await ask()];
  expect(first).toEqual({ holds: true });
  expect(second).toBe(first);
  for (let i = 0; i < 3; i++) move();
  await until(() => first?.holds === false, "it has moved");
  const third = await ask();
  expect(third).toEqual({ holds: true });
  channel.close();
  expect(third).toEqual({ holds: false });
});

test("a server that does not tell gives answers of which nobody knows how long they stand", async () => {
  const { baseUrl } = await serve();
  const { channel, opened } = openChannel(baseUrl);
  await opened();
  const standing = await new Promise((resolve) => {
    channel.ask({ target: "/v0/read/a", headers: {} }, (_, told) => resolve(told));
  });
  expect(standing).toBeNull();
});

test("many questions at once are all answered, beyond a thousand by requests", async () => {
  const { baseUrl } = await serve();
  const { ask, opened } = openChannel(baseUrl);
  await opened();
  const answers = await Promise.all(Array.from({ length: 1200 }, (_, i) => ask(`w${i}`)));
  expect(answers.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => answer(`w${i}`)));
  expect(new Set(answers.slice(1000))).toEqual(new Set(["no channel"]));
});

test("questions pass TLS and the tunnel of a proxy", async () => {
  const authority = await CertificateAuthority.create();
  const folder = temporaryFolder();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  const tls = writeCertificate(folder, await authority.issue("server"));
  const { baseUrl, port } = await serve({ tls });
  expect(baseUrl).toMatch(/^https:/);
  const { address, passed } = await startForwardProxy(onTestFinished);
  const outgoing = { tls: { trustCollectionFile }, proxy: { https: address, nonProxyHosts: [] } };
  const { ask, opened } = openChannel(baseUrl, outgoing);
  await opened();
  expect(await ask("secret")).toEqual(answer("secret"));
  expect(passed).toEqual([`CONNECT 127.0.0.1:${port}`]);
});

test("questions count as requests do: by operation, by address, and in the log of refusals", async () => {
  const { baseUrl, url, lines, readMetrics } = await serve({
    callRates: { perAddress: { perSecond: 0.001, burst: 4 } },
  });
  const { ask } = openChannel(baseUrl);
  const trace = { traceId: "ab".repeat(16), traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-00` };
  // The handshake is the first of four calls.
  await until(async () => (await ask("A")) === null, "it is open");
  expect(await ask("a")).toEqual(answer("a"));
  await runInTrace({ trace: { ...trace, tracestate: undefined } }, () => ask("404"));
  expect(await ask("b")).toEqual(answer("b"));
  expect([await ask("c"), (await fetch(`${url}/api/words/v0/read/c`)).status]).toEqual([null, 429]);
  const text = await readMetrics();
  const count = 'daml_http_requests_duration_seconds_count{http_service="words",operation="read"';
  expect(text).toContain(`${count},status="completed",status_code="200"} 2\n`);
  expect(text).toContain(`${count},status="rejected",status_code="404"} 1\n`);
  const refused = lines().filter(({ operation }) => operation === "read");
  expect(refused).toEqual([
    expect.objectContaining({ traceId: trace.traceId, address: "127.0.0.1", reason: answer("404").body }),
  ]);
});

test("an address that calls too often gets no channel", async () => {
  const { baseUrl, url } = await serve({ callRates: { perAddress: { perSecond: 0.001, burst: 1 } } });
  await (await fetch(`${url}/api/words/v0/read/c`)).text();
  const { client } = openChannel(baseUrl);
  const opening = client.upgrade(
    baseUrl + LOOKUP_CHANNEL_PATH,
    LOOKUP_CHANNEL_PROTOCOL,
    AbortSignal.timeout(10_000),
  );
  await expect(opening).rejects.toThrow("bad upgrade");
});

test("a server without channels is asked again later, and not for every question", async () => {
  const seen: string[] = [];
  const { url, close } = await listen((request, response) => {
    seen.push(`${request.headers.upgrade}`);
    response.writeHead(404).end("{}");
  });
  onTestFinished(close);
  const host = new VirtualHost();
  const { ask } = openChannel(`${url}/api/words`, {}, host);
  for (let i = 0; i < 5; i++) expect(await ask("a")).toBe("no channel");
  await until(() => seen.length === 1, "it was asked");
  // The refusal arrives, and from then on a second at most has to pass.
  await until(async () => {
    await host.advance(1000);
    await ask("a");
    return seen.length > 1;
  }, "it is asked again");
  expect(new Set(seen)).toEqual(new Set([LOOKUP_CHANNEL_PROTOCOL]));
});

/** A server whose end of the channel is the test's own. */
async function serveByHand(): Promise<{ readonly baseUrl: string; readonly socket: Promise<Socket> }> {
  const { promise: socket, resolve } = Promise.withResolvers<Socket>();
  const server = createServer((connection) => {
    connection.once("data", () => {
      connection.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${LOOKUP_CHANNEL_PROTOCOL}\r\n\r\n`,
      );
      resolve(connection);
    });
    connection.on("error", () => undefined);
    onTestFinished(() => void connection.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, socket };
}

const EMPTY = { status: 200, headers: {}, body: "{}" };

test.each([
  ["breaks off", (socket: Socket) => void socket.destroy(), [null, null]],
  ["ends", (socket: Socket) => void socket.end(), [null, null]],
  ["talks nonsense", (socket: Socket) => void socket.write("<html>\n"), [null, null]],
  [
    "answers more than it was asked",
    (socket: Socket) => void socket.write("200\t{}\n".repeat(3)),
    [EMPTY, EMPTY],
  ],
])(
  "a server that %s loses its channel, and open questions are left to requests",
  async (_, misbehave, ends) => {
    const { baseUrl, socket } = await serveByHand();
    const { channel } = openChannel(baseUrl);
    const ended: unknown[] = [];
    const ask = () => channel.ask({ target: "/a", headers: {} }, (end) => ended.push(end));
    await until(ask, "it is open");
    expect(ask()).toBe(true);
    misbehave(await socket);
    await until(() => ended.length === 2, "both questions have ended");
    expect(ended).toEqual(ends);
    expect(ask()).toBe(false);
  },
);

test("questions without an answer in time are late, and younger ones are left to requests", async () => {
  const { baseUrl } = await serveByHand();
  const host = new VirtualHost();
  const { channel } = openChannel(baseUrl, {}, host);
  const ended: unknown[] = [];
  const ask = () => channel.ask({ target: "/a", headers: {} }, (end) => ended.push(end));
  await until(ask, "it is open");
  await host.advance(59_999);
  expect(ask()).toBe(true);
  expect(ended).toEqual([]);
  await host.advance(1);
  expect(ended).toEqual(["late", null]);
  expect(ask()).toBe(false);
});

test("the server ends a channel that sends no line, and all of them when it closes", async () => {
  const server = await serve();
  const open = async () => {
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /api/words${LOOKUP_CHANNEL_PATH} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: ${LOOKUP_CHANNEL_PROTOCOL}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    return { socket, closed: new Promise((resolve) => socket.once("close", resolve)) };
  };
  const talking = await open();
  talking.socket.on("error", () => undefined).write("x".repeat(17 * 1024));
  await talking.closed;
  expect(server.lines().map(({ reason }) => reason)).toContainEqual(
    expect.stringContaining("a line of more than 16384 characters"),
  );
  const quiet = await open();
  await server.close();
  await quiet.closed;
});

test("a page of another site opens no channel", async () => {
  const { port } = await serve();
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /api/words${LOOKUP_CHANNEL_PATH} HTTP/1.1\r\nhost: localhost\r\norigin: https://evil.example\r\nconnection: upgrade\r\nupgrade: ${LOOKUP_CHANNEL_PROTOCOL}\r\n\r\n`,
  );
  const head = await new Promise((resolve) => socket.once("data", (chunk) => resolve(String(chunk))));
  expect(head).toMatch(/^HTTP\/1.1 404 /);
});
