import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Api, defineEndpoints, json } from "@callsign/api";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { RawJson, Reply } from "./answer.ts";
import { startHttpServer } from "./http-server.ts";
import { COMPRESSED_FROM_BYTES } from "./limits.ts";
import { mountApi, openToAll } from "./mount-api.ts";

const endpoint = { method: "GET", summary: "", success: json(z.string()), errors: [] } as const;
const endpoints = defineEndpoints({ tags: ["all"], auth: "none" })({
  long: { ...endpoint, path: "/long" },
  short: { ...endpoint, path: "/short" },
  page: { ...endpoint, path: "/page" },
  late: { ...endpoint, path: "/late" },
  sent: { ...endpoint, path: "/sent", method: "POST" },
});
const api = {
  ...{ name: "test", title: "", version: "1", description: "", basePath: "", dialect: "splice" },
  ...{ tags: { all: "" }, errorBody: z.object({ error: z.string() }), maxBodyBytes: 1000, endpoints },
} as const satisfies Api;
const LONG = JSON.stringify("é".repeat(COMPRESSED_FROM_BYTES));
const SHORT = JSON.stringify("e".repeat(COMPRESSED_FROM_BYTES - 3));

async function serve(): Promise<string> {
  let time = 0;
  const tagged = (text: string, headers = {}) =>
    new Reply<string>(new RawJson(text), { headers: { etag: '"t"', ...headers } });
  const mount = mountApi(api, {
    ...openToAll,
    headers: () => ({ "x-time": String(time++) }),
    handlers: {
      long: () => tagged(LONG, { vary: "x-wait" }),
      page: () => tagged(SHORT, { vary: "origin, x-wait" }),
      short: () => tagged(SHORT),
      late: async () => tagged(LONG),
      sent: () => tagged(LONG),
    },
  });
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    mounts: [mount],
    log: silentLog,
    system: systemHost,
  });
  onTestFinished(() => server.close());
  return server.url;
}

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Without the decoding that `fetch` does by itself. */
async function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Seen> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode = 0, headers: seen } = response;
        resolve({
          status: statusCode,
          headers: seen as Record<string, string>,
          bytes: Buffer.concat(chunks),
        });
      });
    })
      .on("error", reject)
      .end();
  });
}

describe("a long answer", () => {
  test.each(["/long", "/late"])("of %s is compressed as the caller prefers", async (path) => {
    const url = (await serve()) + path;
    const gzip = await ask(url, { "accept-encoding": "gzip" });
    expect(gzip.headers).toMatchObject({ "content-encoding": "gzip", etag: 'W/"t"' });
    expect(gunzipSync(gzip.bytes).toString()).toBe(LONG);
    expect(gzip.headers["content-length"]).toBe(String(gzip.bytes.length));
    const brotli = await ask(url, { "accept-encoding": "gzip, br" });
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(LONG);
  });

  test("is sent as it is to a caller that takes no encoding, and says what it depends on", async () => {
    const url = await serve();
    const { headers, bytes } = await ask(`${url}/long`);
    expect(bytes.toString()).toBe(LONG);
    expect(headers).toMatchObject({ etag: '"t"', vary: "x-wait, accept-encoding" });
    expect(headers["content-encoding"]).toBeUndefined();
    const ofPage = await ask(`${url}/long`, { origin: "http://localhost:1" });
    expect(ofPage.headers["vary"]).toBe("origin, x-wait, accept-encoding");
  });

  test("carries the headers of the moment in which it was made", async () => {
    const url = await serve();
    const both = await Promise.all([
      ask(`${url}/long`, { "accept-encoding": "gzip" }),
      ask(`${url}/short`, { "accept-encoding": "gzip" }),
    ]);
    expect(both.map(({ headers }) => headers["x-time"]).toSorted()).toEqual(["0", "1"]);
  });
});

test("an answer that depends on the origin says so once, to a page and to anybody else", async () => {
  const url = await serve();
  for (const headers of [{}, { origin: "http://localhost:1" }])
    expect((await ask(`${url}/page`, headers)).headers["vary"]).toBe("origin, x-wait");
});

test("a short answer is never compressed", async () => {
  const { headers, bytes } = await ask(`${await serve()}/short`, { "accept-encoding": "gzip" });
  expect(bytes.toString()).toBe(SHORT);
  expect(headers["content-encoding"]).toBeUndefined();
  expect(headers["vary"]).toBeUndefined();
});

describe("a caller that has the answer", () => {
  test.each(['"t"', 'W/"t"', '"other", "t"', "*"])(
    "and says so by %s gets 304 without a body",
    async (tag) => {
      const { status, headers, bytes } = await ask(`${await serve()}/long`, { "if-none-match": tag });
      expect({ status, length: bytes.length }).toEqual({ status: 304, length: 0 });
      expect(headers).toMatchObject({ etag: '"t"', vary: "x-wait, accept-encoding", "x-time": "0" });
      expect(headers["content-type"]).toBeUndefined();
    },
  );

  test("of another time gets all of it, and so does one that changes something", async () => {
    const url = await serve();
    expect((await ask(`${url}/long`, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await ask(`${url}/sent`, { "if-none-match": '"t"' }, "POST")).status).toBe(200);
  });
});

test.each([{}, { "accept-encoding": "gzip" }, { "if-none-match": '"t"' }])(
  "HEAD has the status and the headers of GET and no body, asked with %j",
  async (asked) => {
    const url = `${await serve()}/long`;
    const [get, head] = [await ask(url, asked), await ask(url, asked, "HEAD")];
    const { date: _1, "x-time": _2, ...wanted } = get.headers;
    const { date: _3, "x-time": _4, ...seen } = head.headers;
    expect({ status: head.status, headers: seen }).toEqual({ status: get.status, headers: wanted });
    expect(head.bytes.length).toBe(0);
  },
);
