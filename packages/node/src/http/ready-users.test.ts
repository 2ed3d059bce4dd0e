/** Ready answers to callers with tokens: their calls are counted, and a channel has none of them. */
import { connect, type Socket } from "node:net";
import { type Api, defineEndpoints, json, SpliceError } from "@callsign/api";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { until } from "../../testing/until.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { silentLog } from "../observability/log.ts";
import { startHttpServer } from "./http-server.ts";
import type { CallRates } from "./listening.ts";
import { mountApi } from "./mount-api.ts";
import { readyTextAt, readyTextOfCallerAt } from "./ready-text.ts";

const endpoint = { method: "GET", summary: "", success: json(z.string()), errors: [] } as const;
const endpoints = defineEndpoints({ tags: ["all"], auth: "user" })({
  own: { ...endpoint, path: "/own" },
  open: { ...endpoint, path: "/open", auth: "none" },
});
const api = {
  ...{ name: "test", title: "", version: "1", description: "", basePath: "/api/test", dialect: "splice" },
  ...{ tags: { all: "" }, errorBody: SpliceError, maxBodyBytes: 1000, endpoints },
} as const satisfies Api;
const LONG = "x".repeat(100_000);

async function serve(callRates: CallRates = {}) {
  const userOf = (authorization: string | undefined) => authorization?.replace("Bearer ", "") ?? null;
  const mount = mountApi(api, {
    authenticate: (_, { authorization }) => userOf(authorization),
    authorize: (_endpoint, _request, user) => user,
    handlers: { own: (_, { caller }) => `made for ${caller}`, open: () => LONG },
  });
  const findOwn = readyTextOfCallerAt(api, endpoints.own, (authorization) => ({
    text: '"ready"',
    user: userOf(authorization) ?? "",
  }));
  const findOpen = readyTextAt(api, endpoints.open, () => JSON.stringify(LONG));
  const findReady: typeof findOwn = (...asked) => findOwn(...asked) ?? findOpen(...asked);
  const system = new VirtualHost();
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, log: silentLog, system, callRates },
    mounts: [{ ...mount, findReady, hasReadyChannel: true }],
  });
  onTestFinished(() => server.close());
  const open = () => {
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { system, open };
}

/** The status and the body of the answer to each request, one after the other on the connection. */
async function ask(socket: Socket, path: string, user: string, header = ""): Promise<string> {
  let read = "";
  const listen = (bytes: Buffer) => {
    read += bytes.toString("latin1");
  };
  socket.on("data", listen);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${user}\r\n${header}\r\n`);
  const isWhole = () => {
    const length = /content-length: (\d+)/i.exec(read)?.[1];
    return length !== undefined && read.length === read.indexOf("\r\n\r\n") + 4 + Number(length);
  };
  await until(isWhole, "the answer is there");
  socket.off("data", listen);
  return `${read.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)} ${read.slice(read.indexOf("\r\n\r\n") + 4)}`;
}

/** By this header a request is left to the general path, and its connection to `node:http`. */
const GENERAL = "content-type: text/plain\r\n";

test.each([
  ["a bare connection", ""],
  ["a connection that node:http reads", GENERAL],
])("calls of a user on %s are counted, and one too many is refused", async (_, first) => {
  const { system, open } = await serve({ perUser: { perSecond: 1, burst: 3 } });
  const socket = open();
  expect(await ask(socket, "/own", "alice", first)).toBe(
    first === "" ? '200 "ready"' : '200 "made for alice"',
  );
  expect(await ask(socket, "/own", "alice")).toBe('200 "ready"');
  expect(await ask(socket, "/api/test/own", "alice")).toBe('200 "ready"');
  expect(await ask(socket, "/own", "alice")).toMatch(/^429 /);
  // Another user has calls left, on both paths; the same one has none on either.
  expect(await ask(open(), "/own", "bob")).toBe('200 "ready"');
  expect(await ask(open(), "/own", "alice", GENERAL)).toMatch(/^429 /);
  await system.advance(1000);
  expect(await ask(open(), "/own", "alice")).toBe('200 "ready"');
  expect(await ask(open(), "/own", "alice")).toMatch(/^429 /);
});

async function openChannel(
  open: () => Socket,
): Promise<{ readonly socket: Socket; readonly read: () => string }> {
  const socket = open();
  let read = "";
  socket.on("data", (bytes: Buffer) => {
    read += bytes.toString("latin1");
  });
  socket.write(
    "GET /api/test/ext/v1/lookup-channel HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: callsign-lookups\r\n\r\n",
  );
  await until(() => read.endsWith("\r\n\r\n"), "the channel is open");
  return { socket, read: () => read.slice(read.indexOf("\r\n\r\n") + 4) };
}

test("a channel gives no answer that is a caller's own", async () => {
  const { open } = await serve();
  const { socket, read } = await openChannel(open);
  socket.write("/own\tauthorization:Bearer alice\n/own\n/open\n");
  await until(() => read().endsWith('"\n'), "the open answer is there");
  expect(read().startsWith("\n\n200\t")).toBe(true);
});

test("a channel whose caller takes no answers holds few of them, and gives all once they are taken", async () => {
  const { open } = await serve();
  const { socket } = await openChannel(open);
  socket.pause();
  const before = process.memoryUsage().rss;
  // 300 MB of answers.
  socket.write("/open\n".repeat(3000));
  // The server has had many turns.
  for (let i = 0; i < 20; i++) await ask(open(), "/own", "bob");
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  let length = 0;
  socket.removeAllListeners("data").on("data", (bytes: Buffer) => {
    length += bytes.length;
  });
  const whole = 3000 * `200\t"${LONG}"\n`.length;
  socket.resume();
  await until(() => length === whole, "all answers are there");
});
