// Operations that are streams, over websockets: handshake, frames, bounds, ends.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Api, defineEndpoints, json, LedgerErrorBody } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { afterEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type PlainAnswer, plainRequest } from "../../testing/plain-request.ts";
import { until } from "../../testing/until.ts";
import { WebsocketReader } from "../../testing/websocket-reader.ts";
import type { Call } from "../http/call.ts";
import { type HttpServer, startHttpServer } from "../http/http-server.ts";
import { type MountedApi, mountApi } from "../http/mount-api.ts";
import { answerAsRequest } from "../http/raw-answer.ts";
import { LedgerFailure } from "../http/refusal.ts";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import type { WebsocketLimits } from "./websocket-limits.ts";
import { serveWebsockets } from "./websockets.ts";

const endpoints = defineEndpoints({})({
  count: {
    method: "POST",
    path: "/v2/count",
    tags: ["t"],
    summary: "",
    auth: "ledger:public",
    body: z.object({
      upTo: z.number(),
      /** Breaks off there, so. */
      failAt: z.number().default(-1),
      how: z.string().default(""),
      padding: z.number().default(0),
      /** True if the stream stays open at its end. */
      stay: z.boolean().default(false),
    }),
    success: json(z.array(z.number())),
    errors: [],
    streamItem: z.object({ n: z.number(), padding: z.string() }),
  },
  plain: {
    method: "GET",
    path: "/v2/plain",
    tags: ["t"],
    summary: "",
    auth: "ledger:none",
    success: json(z.object({ plain: z.boolean() })),
    errors: [],
  },
});

const api: Api<typeof endpoints> = {
  name: "sample",
  title: "Sample",
  version: "1",
  description: "",
  basePath: "/api/sample",
  dialect: "ledger",
  tags: { t: "" },
  errorBody: LedgerErrorBody,
  maxBodyBytes: 1000,
  endpoints,
};

/** Users by their token; what they may do, as one text. */
interface User {
  readonly name: string;
  authority: string;
  expiresAt: number | null;
  isGone: boolean;
}

let users: Map<string, User>;
let produced: number;
let ended = 0;
/** Rights that could not be looked up. */
let failedLookups = 0;
let running: HttpServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

type Body = z.output<typeof endpoints.count.body>;

async function* count({ upTo, failAt, how, padding, stay }: Body, { signal }: Call<User>) {
  try {
    for (let n = 1; n <= upTo; n++) {
      if (signal.aborted) return;
      if (n === failAt) {
        if (how === "defect") throw new Error("the password is hunter2");
        throw new LedgerFailure(ledgerError("OFFSET_OUT_OF_RANGE", "so far and no further"));
      }
      produced = n;
      yield { n, padding: "x".repeat(padding) };
    }
    if (stay) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  } finally {
    ended++;
  }
}

function mount(): MountedApi {
  const unauthenticated = () => new LedgerFailure(ledgerError("UNAUTHENTICATED", "who are you"));
  const denied = () => new LedgerFailure(ledgerError("PERMISSION_DENIED", "not you"));
  return mountApi(api, {
    authenticate: (_, { authorization = "" }): User => {
      if (authorization === "Bearer unknown") throw denied();
      return users.get(authorization.slice("Bearer ".length)) ?? nobody;
    },
    authorize: (_endpoint, request, user) => {
      const { upTo } = (request as unknown as { body: Body }).body ?? {};
      if (user.authority === "few" && upTo > 10) throw denied();
      return user;
    },
    handlers: { count: ({ body }) => [body.upTo], plain: () => ({ plain: true }) },
    streams: {
      open: { count: ({ body }, call) => count(body, call) },
      admit: (user) => {
        if (user === nobody) throw unauthenticated();
      },
      renew: (user) => {
        if (user.isGone) throw denied();
        if (user.authority === "broken") {
          failedLookups++;
          throw new Error("the database is away");
        }
        return user;
      },
      holderOf: (user) => {
        const { authority } = user;
        return { userId: user.name, tokenExpiresAt: user.expiresAt, authority: () => authority };
      },
    },
  });
}

const nobody: User = { name: "", authority: "", expiresAt: null, isGone: false };

async function serve(websockets: Partial<WebsocketLimits> = {}): Promise<string> {
  const user = (name: string, changed: Partial<User> = {}): [string, User] => [
    name,
    { name, authority: "all", expiresAt: null, isGone: false, ...changed },
  ];
  users = new Map([user("alice"), user("bob"), user("weak", { authority: "few" })]);
  produced = 0;
  ended = 0;
  failedLookups = 0;
  running = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    mounts: [mount()],
    log: silentLog,
    system: systemHost,
    upgrades: serveWebsockets(websockets),
  });
  return running.url;
}

function userOf(name: string): User {
  return users.get(name) ?? nobody;
}

const read = (url: string, request: unknown, token = "alice", path = "/v2/count") =>
  new WebsocketReader(url + path, { token, request });
const numbers = (frames: readonly unknown[]) => frames.map((frame) => (frame as { n: number }).n);
const numberOf = (frame: unknown) => (frame as { n?: number }).n;

describe("a stream", () => {
  test.each(["/v2/count", "/v2/count/", "/api/sample/v2/count", "/v2/count?limit=2"])(
    "is at %s, each item in a frame, and ends with a normal close",
    async (path) => {
      const reader = read(await serve(), { upTo: 3 }, "alice", path);
      await reader.opened();
      expect(reader.socket.protocol).toBe("daml.ws.auth");
      expect(await reader.closed).toBe(1000);
      expect(reader.frames).toEqual([1, 2, 3].map((n) => ({ n, padding: "" })));
    },
  );

  test("takes the token from the header before the one among the subprotocols", async () => {
    const url = await serve();
    const headers = { authorization: "Bearer alice" };
    const reader = new WebsocketReader(`${url}/v2/count`, { headers, token: "none", request: { upTo: 1 } });
    expect(numbers(await reader.rest())).toEqual([1]);
    const other = { headers: { authorization: "Bearer none" }, token: "alice" };
    expect((await new WebsocketReader(`${url}/v2/count`, other).refused()).status).toBe(401);
    // Without subprotocols there is none to choose.
    const bare = new WebsocketReader(`${url}/v2/count`, { headers, protocols: [], request: { upTo: 1 } });
    expect(numbers(await bare.rest())).toEqual([1]);
    expect(bare.socket.protocol).toBe("");
  });

  test("looks at the first frame only", async () => {
    const reader = read(await serve(), { upTo: 2, stay: true });
    await reader.next(numberOf);
    reader.socket.send(JSON.stringify({ upTo: 9 }));
    reader.socket.send("{");
    reader.socket.send(Buffer.from([1, 2, 3]));
    await reader.next(numberOf);
    const pong = new Promise<void>((resolve) => reader.socket.once("pong", () => resolve()));
    reader.socket.ping();
    await pong;
    expect(reader.frames).toEqual([]);
    expect(reader.socket.readyState).toBe(reader.socket.OPEN);
  });

  test("stops when its reader leaves", async () => {
    const reader = read(await serve(), { upTo: 1, stay: true });
    await reader.next(numberOf);
    reader.socket.terminate();
    await until(() => ended === 1, "the stream has ended");
  });

  test("is closed with 1001 when the server stops, before and after its request", async () => {
    const url = await serve();
    const readers = [read(url, { upTo: 1, stay: true }), await read(url, undefined).opened()];
    await readers[0]?.next(numberOf);
    await running?.close();
    expect(await Promise.all(readers.map(({ closed }) => closed))).toEqual([1001, 1001]);
    expect(ended).toBe(1);
  });

  test("of a reader who does not answer a close is cut off when the server stops", async () => {
    const reader = await read(await serve(), { upTo: 1, stay: true }).opened();
    await reader.next(numberOf);
    reader.socket.pause();
    await running?.close();
    reader.socket.resume();
    expect([1001, 1006]).toContain(await reader.closed);
  });
});

describe("a handshake is refused", () => {
  test.each([
    [401, "no token", {}],
    [401, "a token that does not hold", { token: "none" }],
    [403, "a token of an unknown user", { token: "unknown" }],
    [403, "a foreign page", { token: "alice", headers: { origin: "https://example.com" } }],
    [403, "a foreign name", { token: "alice", headers: { host: "example.com" } }],
  ])("with %i for %s, with the API's body", async (status, _, opening) => {
    const url = await serve();
    const refused = await new WebsocketReader(`${url}/v2/count`, opening).refused();
    expect(refused.status).toBe(status);
    expect(LedgerErrorBody.parse(refused.json)).toMatchObject({ code: "NA", errorCategory: -1 });
  });

  test("beyond the limits of one user and of the port", async () => {
    const url = await serve({ maxSockets: 3, maxSocketsPerUser: 2 });
    const open = (token: string) => new WebsocketReader(`${url}/v2/count`, { token });
    const first = await open("alice").opened();
    await open("alice").opened();
    const third = await open("alice").refused();
    expect([third.status, third.json]).toMatchObject([409, { code: "MAXIMUM_NUMBER_OF_STREAMS" }]);
    await open("bob").opened();
    const fourth = await open("weak").refused();
    expect([fourth.status, fourth.json]).toMatchObject([409, { code: "MAXIMUM_NUMBER_OF_STREAMS" }]);
    first.socket.close();
    await first.closed;
    await until(() => open("alice").isOpened(), "there is room again");
  });

  test("if it is malformed", async () => {
    const url = await serve();
    // Without a key and a version.
    const { status, body } = await ask(`${url}/v2/count`, "websocket", { authorization: "Bearer alice" });
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
  });
});

/** A request that asks for another protocol. */
function ask(url: string, upgrade: string | null, more: Record<string, string> = {}): Promise<PlainAnswer> {
  const headers = { ...more, ...(upgrade === null ? {} : { connection: "upgrade", upgrade }) };
  return plainRequest(url, { headers });
}

describe("what is no websocket", () => {
  test("is told that one is expected where it asks for a stream", async () => {
    const url = await serve();
    for (const upgrade of [null, "h2c"]) {
      const { status, body } = await ask(`${url}/v2/count`, upgrade);
      expect([status, JSON.parse(body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
    }
  });

  test("is answered as usual everywhere else", async () => {
    const url = await serve();
    for (const upgrade of ["websocket", "h2c"]) {
      expect(await ask(`${url}/v2/plain`, upgrade)).toEqual({
        status: 200,
        type: "application/json",
        body: '{"plain":true}',
      });
      expect((await ask(`${url}/v2/other`, upgrade)).status).toBe(404);
    }
  });
});

test("an upgrade that nobody accepts is answered as a plain request", async () => {
  const server = createServer((request, response) => {
    response.writeHead(202).end(`${request.method} ${request.url}`);
  });
  server.on("upgrade", (request, socket) => answerAsRequest(server, request, socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await ask(`http://127.0.0.1:${port}/some`, "h2c")).toEqual({
    status: 202,
    type: "",
    body: "GET /some",
  });
  // It has let go of the connection.
  await new Promise((resolve) => server.close(resolve));
});

test("the documents of operations and of channels are YAML, for everybody", async () => {
  const url = await serve();
  const read = async (path: string) => parseYaml(await (await fetch(url + path)).text()) as object;
  expect(await read("/docs/openapi")).toMatchObject({ paths: { "/v2/count": {}, "/v2/plain": {} } });
  for (const path of ["/docs/asyncapi", "/api/sample/docs/asyncapi"]) {
    const { channels } = (await read(path)) as { readonly channels: object };
    expect(Object.keys(channels)).toEqual(["/v2/count"]);
  }
  expect(await (await fetch(`${url}/docs/sample/openapi.json`)).json()).toHaveProperty("paths");
});

describe("an error is one frame, and then the end", () => {
  test.each([
    ["{", "INVALID_ARGUMENT", 8],
    ['{"upTo":"3"}', "INVALID_ARGUMENT", 8],
    ['{"upTo":11}', "NA", -1],
    ['{"upTo":3,"failAt":1}', "OFFSET_OUT_OF_RANGE", 9],
    ['{"upTo":3,"failAt":1,"how":"defect"}', "NA", -1],
  ])("for the request %s", async (text, code, errorCategory) => {
    const reader = await read(await serve(), undefined, "weak").opened();
    reader.socket.send(text);
    expect(await reader.closed).toBe(1000);
    expect(reader.frames).toHaveLength(1);
    expect(LedgerErrorBody.parse(reader.frames[0])).toMatchObject({ code, errorCategory });
    expect(JSON.stringify(reader.frames)).not.toContain("hunter2");
  });

  test("behind the items before it", async () => {
    const reader = read(await serve(), { upTo: 9, failAt: 3 });
    const frames = await reader.rest();
    expect(numbers(frames).slice(0, 2)).toEqual([1, 2]);
    expect(frames.slice(2)).toMatchObject([{ code: "OFFSET_OUT_OF_RANGE" }]);
  });

  test("for a request in a binary frame, and for none within the time", async () => {
    const binary = await read(await serve(), undefined).opened();
    binary.socket.send(Buffer.from('{"upTo":1}'));
    const silent = read(await serve({ requestMilliseconds: 50 }), undefined);
    for (const reader of [binary, silent]) {
      expect(await reader.rest()).toMatchObject([{ code: "INVALID_ARGUMENT", grpcCodeValue: 3 }]);
    }
  });

  test("but a request that is too large is not read", async () => {
    const reader = await read(await serve(), undefined).opened();
    reader.socket.send(JSON.stringify({ upTo: 1, more: "x".repeat(2000) }));
    expect(await reader.closed).toBe(1009);
    expect(reader.frames).toEqual([]);
  });
});

describe("a slow reader", () => {
  const padding = 50_000;

  test("slows the stream down and misses no item", async () => {
    const upTo = 1000;
    const reader = await read(await serve(), { upTo, padding }).opened();
    await reader.next(numberOf);
    reader.socket.pause();
    let [last, looks] = [-1, 0];
    await until(() => {
      looks = produced === last ? looks + 1 : 0;
      last = produced;
      return looks === 40;
    }, "nothing more is made");
    // The buffers of the two kernels, not all of the fifty megabytes.
    expect(last).toBeLessThan(upTo / 2);
    reader.socket.resume();
    expect(numbers(await reader.rest())).toEqual(Array.from({ length: upTo - 1 }, (_, i) => i + 2));
    expect(await reader.closed).toBe(1000);
  });

  test("that takes nothing for too long is cut off", async () => {
    const url = await serve({ stallMilliseconds: 2000 });
    const reader = await read(url, { upTo: 100_000, padding }).opened();
    await reader.next(numberOf);
    reader.socket.pause();
    await until(() => ended === 1, "the stream has ended");
    expect(produced).toBeLessThan(100_000);
    reader.socket.resume();
    expect(await reader.closed).toBe(1006);
  });
});

describe("a peer", () => {
  test("that answers no ping is dropped; one that does is kept", async () => {
    const url = await serve({ pingMilliseconds: 500 });
    const alive = read(url, { upTo: 1, stay: true });
    const dead = new WebsocketReader(`${url}/v2/count`, {
      token: "alice",
      autoPong: false,
      request: { upTo: 1, stay: true },
    });
    let pings = 0;
    alive.socket.on("ping", () => pings++);
    expect(await dead.closed).toBe(1006);
    await until(() => pings >= 4, "several pings were answered");
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
    expect(ended).toBe(1);
  });

  test("that pings gets pongs, but not beyond the buffer limit if it does not read", async () => {
    const url = await serve({ requestMilliseconds: 120_000 });
    const reader = await new WebsocketReader(`${url}/v2/count`, { token: "alice" }).opened();
    let pongs = 0;
    reader.socket.on("pong", () => pongs++);
    reader.socket.ping("are you there");
    await until(() => pongs === 1, "a ping is answered");
    reader.socket.pause();
    const pings = 150_000;
    const data = Buffer.alloc(125);
    for (let i = 0; i < pings; i++) reader.socket.ping(data);
    reader.socket.send(JSON.stringify({ upTo: 1 }));
    await until(() => produced === 1, "everything before the request was read", 30_000);
    reader.socket.resume();
    expect(await reader.closed).toBe(1000);
    // The buffers of the two kernels, not all of the twenty megabytes.
    expect(pongs).toBeLessThan(pings / 2);
  });
});

describe("a stream lasts as long as", () => {
  test("its token", async () => {
    const url = await serve();
    userOf("alice").expiresAt = Date.now() / 1000 + 0.3;
    const reader = read(url, { upTo: 1, stay: true });
    const frames = await reader.rest();
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(userOf("alice").expiresAt ?? 0);
    expect(frames).toMatchObject([
      { n: 1 },
      { code: "ACCESS_TOKEN_EXPIRED", errorCategory: 2, grpcCodeValue: 10 },
    ]);
    expect(await reader.closed).toBe(1000);
  });

  test.each([
    ["change", { authority: "more" }],
    ["are gone", { isGone: true }],
    ["do not suffice any more", { authority: "few" }],
  ])("its user's rights: when they %s", async (_, changed) => {
    const url = await serve({ recheckMilliseconds: 20 });
    const reader = read(url, { upTo: 20, stay: true });
    await reader.next((frame) => (numberOf(frame) === 20 ? true : undefined));
    Object.assign(userOf("alice"), changed);
    expect(await reader.rest()).toMatchObject([
      { code: "STALE_STREAM_AUTHORIZATION", errorCategory: 2, grpcCodeValue: 10 },
    ]);
    expect(await reader.closed).toBe(1000);
  });

  test("a failing check of rights does not end the stream", async () => {
    const url = await serve({ recheckMilliseconds: 10 });
    userOf("alice").authority = "broken";
    const reader = read(url, { upTo: 1, stay: true });
    await reader.next(numberOf);
    await until(() => failedLookups > 5, "rights could not be looked up, again and again");
    await running?.close();
    expect(await reader.closed).toBe(1001);
  });
});
