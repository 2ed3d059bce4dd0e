// One port with APIs from tables: routes, order of checks, bounds, errors in each API's shape.

import {
  type Api,
  defineEndpoints,
  empty,
  int32Parameter,
  json,
  LedgerErrorBody,
  SpliceError,
  spliceError,
  text,
} from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { plainRequest } from "../../testing/plain-request.ts";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { RawJson, Reply } from "./answer.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { type MountedApi, mountApi } from "./mount-api.ts";
import { HangUp, LedgerFailure, Refusal } from "./refusal.ts";

const endpoints = defineEndpoints({})({
  echo: {
    method: "POST",
    path: "/v0/things/{thing-id}/echo",
    tags: ["t"],
    summary: "",
    auth: "user",
    params: z.object({ "thing-id": z.string() }),
    query: z.object({ size: int32Parameter.default(7) }),
    body: z.object({ word: z.string() }),
    success: json(z.object({ thing: z.string(), size: z.number(), word: z.string(), caller: z.string() })),
    errors: [],
  },
  raw: {
    method: "GET",
    path: "/v0/raw",
    tags: ["t"],
    summary: "",
    auth: "none",
    success: json(z.unknown()),
    errors: [],
  },
  mine: {
    method: "GET",
    path: "/v0/mine",
    tags: ["t"],
    summary: "",
    auth: "user",
    success: empty,
    errors: [],
  },
  isLive: {
    method: "GET",
    path: "/livez",
    tags: ["t"],
    summary: "",
    auth: "none",
    success: empty,
    errors: [],
  },
  plain: {
    method: "GET",
    path: "/v0/plain",
    tags: ["t"],
    summary: "",
    auth: "none",
    success: text,
    errors: [],
  },
  nothing: {
    method: "GET",
    path: "/v0/nothing",
    tags: ["t"],
    summary: "",
    auth: "none",
    success: empty,
    errors: [],
  },
  fail: {
    method: "GET",
    path: "/v0/fail/{how}",
    tags: ["t"],
    summary: "",
    auth: "none",
    params: z.object({ how: z.string() }),
    success: empty,
    errors: [],
  },
});

function apiOf(dialect: "splice" | "ledger"): Api<typeof endpoints> {
  return {
    name: "sample",
    title: "Sample",
    version: "1",
    description: "",
    basePath: dialect === "splice" ? "/api/sample" : "",
    dialect,
    tags: { t: "" },
    errorBody: dialect === "splice" ? SpliceError : LedgerErrorBody,
    maxBodyBytes: 1000,
    endpoints,
  };
}

let running: HttpServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const order: string[] = [];

function mount(dialect: "splice" | "ledger"): MountedApi {
  order.length = 0;
  return mountApi(apiOf(dialect), {
    authenticate: ({ auth }, { authorization, accessToken }) => {
      order.push("authenticate");
      const token = authorization ?? accessToken;
      if (auth === "none" || token === "good" || token === "weak") return token ?? "nobody";
      throw dialect === "splice"
        ? new Refusal(spliceError(401, "who are you"))
        : new LedgerFailure(ledgerError("UNAUTHENTICATED", "who are you"));
    },
    authorize: (_endpoint, _request, token) => {
      order.push("authorize");
      if (token !== "weak") return token;
      throw dialect === "splice"
        ? new Refusal(spliceError(403, "not you"))
        : new LedgerFailure(ledgerError("PERMISSION_DENIED", "not you"));
    },
    handlers: {
      echo: async ({ params, query, body }, { caller }) => {
        order.push("handler");
        return { thing: params["thing-id"], size: query.size, word: body.word, caller };
      },
      raw: () => new Reply(new RawJson('{"a":1}'), { headers: { "x-own": "yes" } }),
      mine: () => undefined,
      isLive: () => undefined,
      plain: () => "some text",
      nothing: () => undefined,
      fail: ({ params }, { signal }) => fail(params.how, signal),
    },
    rejectionOf: (error, { id }) =>
      error instanceof OutOfTea ? spliceError(418, `${id}: ${error.message}`) : null,
  });
}

class OutOfTea extends Error {}

function fail(how: string, signal: AbortSignal): undefined | Promise<undefined> {
  switch (how) {
    case "defect":
      throw new Error("the password is hunter2");
    case "domain":
      throw new OutOfTea("no tea is left");
    case "late-domain":
      return Promise.reject(new OutOfTea("no tea is left"));
    case "late-defect":
      return Promise.reject(new Error("the password is hunter2"));
    case "hang-up":
      throw new HangUp();
    case "slow":
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    default:
      throw new Refusal(spliceError(418, how));
  }
}

async function serve(dialect: "splice" | "ledger", options: object = {}): Promise<string> {
  const server = { host: "127.0.0.1", port: 0, mounts: [mount(dialect)] as const, log: silentLog };
  running = await startHttpServer({ ...server, system: systemHost, ...options });
  return running.url;
}

function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { authorization: "good" },
) {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}

describe("routes", () => {
  test.each(["", "/api/sample"])("answer under the prefix '%s'", async (prefix) => {
    const url = await serve("splice");
    const answer = await post(`${url}${prefix}/v0/things/a%2Fb%20c/echo?size=3`, '{"word":"hi","other":1}');
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ thing: "a/b c", size: 3, word: "hi", caller: "good" });
  });

  test("take a token from the query of a GET without a header, and of no other method", async () => {
    const url = await serve("splice");
    expect((await fetch(`${url}/v0/mine?access_token=good`)).status).toBe(200);
    expect((await fetch(`${url}/v0/mine`)).status).toBe(401);
    const changing = await post(`${url}/v0/things/a/echo?access_token=good`, '{"word":"hi"}', {});
    expect(changing.status).toBe(401);
  });

  test("answer text, an empty body, and raw JSON with headers of its own", async () => {
    const url = await serve("splice");
    expect(await (await fetch(`${url}/v0/plain`)).text()).toBe("some text");
    const nothing = await fetch(`${url}/v0/nothing`);
    expect([nothing.status, await nothing.text()]).toEqual([200, ""]);
    const raw = await fetch(`${url}/v0/raw`);
    expect([await raw.text(), raw.headers.get("x-own")]).toEqual(['{"a":1}', "yes"]);
  });

  test("the document and its page are served", async () => {
    const url = await serve("splice");
    for (const path of ["/api/sample/docs/openapi", "/docs/sample/openapi.json"]) {
      const document = (await (await fetch(url + path)).json()) as { paths: object };
      expect(Object.keys(document.paths)).toContain("/v0/things/{thing-id}/echo");
    }
    expect(await (await fetch(`${url}/api/sample/docs`)).text()).toMatch(/^<!doctype html>/);
  });

  test("the ledger API overlooks a slash at the end; Splice's do not", async () => {
    expect((await fetch(`${await serve("ledger")}/v0/plain/`)).status).toBe(200);
    await running?.close();
    expect((await fetch(`${await serve("splice")}/v0/plain/`)).status).toBe(404);
  });
});

describe("what is refused", () => {
  test("a caller without a token is refused before query and body are read", async () => {
    const url = await serve("splice");
    const answer = await post(`${url}/v0/things/a/echo?size=x`, "{", {});
    expect([answer.status, await answer.json()]).toEqual([401, { error: "who are you" }]);
    expect(order).toEqual(["authenticate"]);
  });

  test("a malformed query or body is refused in the words of the dialect", async () => {
    const url = await serve("splice");
    const query = await post(`${url}/v0/things/a/echo?size=x`, '{"word":"hi"}');
    expect([query.status, await query.text()]).toEqual([
      400,
      "The query parameter 'size' was malformed:\n'x' is not a valid 32-bit signed integer value",
    ]);
    const body = await post(`${url}/v0/things/a/echo`, '{"word":1}');
    expect(body.status).toBe(400);
    expect(order).not.toContain("handler");
  });

  test("a body without a content type is refused with 415", async () => {
    const url = await serve("splice");
    const answer = await fetch(`${url}/v0/things/a/echo`, {
      method: "POST",
      headers: { authorization: "good" },
      body: new Blob(['{"word":"hi"}']),
    });
    expect(answer.status).toBe(415);
  });

  test("a caller without the right is refused after the request was decoded", async () => {
    const url = await serve("splice");
    const answer = await post(`${url}/v0/things/a/echo`, '{"word":"hi"}', { authorization: "weak" });
    expect([answer.status, await answer.json()]).toEqual([403, { error: "not you" }]);
    expect(order).toEqual(["authenticate", "authorize"]);
  });

  test("a body beyond the limit is refused with 413", async () => {
    const splice = await post(`${await serve("splice")}/v0/things/a/echo`, "x".repeat(1001));
    expect(splice.status).toBe(413);
    await running?.close();
    const ledger = await post(`${await serve("ledger")}/v0/things/a/echo`, "x".repeat(1001));
    expect(ledger.status).toBe(413);
    expect(LedgerErrorBody.parse(await ledger.json()).cause).toContain("1000 bytes");
    expect(order).toEqual([]);
  });

  test.each(["splice", "ledger"] as const)("a body that is not UTF-8 is refused (%s)", async (dialect) => {
    const url = await serve(dialect);
    const bytes = new Uint8Array([...Buffer.from('{"word":"h'), 0xc3, 0x28, ...Buffer.from('"}')]);
    const answer = await post(`${url}/v0/things/a/echo`, bytes);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("not UTF-8")]);
  });

  test("repeated slashes are one in the JSON Ledger API, and none of Splice's paths has them", async () => {
    const ledger = await serve("ledger");
    expect((await post(`${ledger}//v0///things/a/echo`, '{"word":"hi"}')).status).toBe(200);
    await running?.close();
    const splice = await serve("splice");
    expect((await post(`${splice}//v0/things/a/echo`, '{"word":"hi"}')).status).toBe(404);
  });

  test.each([
    ["splice", 404, /could not be found: http:\/\/127.0.0.1:\d+\/v0\/none\?x=1/],
    ["ledger", 404, /HttpMethod\(GET\), uri: http:\/\/127\.0\.0\.1:\d+\/v0\/none\?x=1/],
  ] as const)("an unknown path (%s)", async (dialect, status, words) => {
    const answer = await fetch(`${await serve(dialect)}/v0/none?x=1`);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(words)]);
  });

  test.each(["splice", "ledger"] as const)("a path with an empty segment (%s)", async (dialect) => {
    expect((await plainRequest(await serve(dialect), { path: "/v0/fail/" })).status).toBe(404);
  });

  test.each(["splice", "ledger"] as const)("another method than the path's (%s)", async (dialect) => {
    const answer = await fetch(`${await serve(dialect)}/v0/plain`, { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test.each(["splice", "ledger"] as const)("a path that is no text (%s)", async (dialect) => {
    const url = await serve(dialect);
    for (const path of ["/v0/fail/%zz", "/v0/fail/%ff", "/%"]) {
      const { status, body } = await plainRequest(url, { path });
      expect([path, status]).toEqual([path, 400]);
      expect(body).toMatch(/percent-encoded|path parameter/);
    }
  });
});

describe("a server for this machine", () => {
  const names = ["localhost", "scan.localhost:4000", "127.0.0.1:5003", "[::1]:5003", "LOCALHOST:1"];
  const foreign = ["example.org", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1:80"];
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await plainRequest(`${url}/v0/plain`, { headers })).status;

  test.each(["splice", "ledger"] as const)(
    "answers to its own names, and to no other (%s)",
    async (dialect) => {
      const url = await serve(dialect);
      for (const host of names) expect([host, await statusOf(url, { host })]).toEqual([host, 200]);
      for (const host of foreign) expect([host, await statusOf(url, { host })]).toEqual([host, 403]);
    },
  );

  test("refuses calls from pages of other sites", async () => {
    const url = await serve("splice");
    for (const name of names) {
      const origin = `http://${name}`;
      expect([origin, await statusOf(url, { origin })]).toEqual([origin, 200]);
    }
    for (const origin of [
      "https://example.org",
      "http://localhost.example.org",
      "null",
      "http://localhost/x",
    ])
      expect([origin, await statusOf(url, { origin })]).toEqual([origin, 403]);
  });

  test.each(["splice", "ledger"] as const)(
    "lets a page of its own call, and read the answer (%s)",
    async (dialect) => {
      const url = await serve(dialect);
      const origin = "http://localhost:5173";
      const asked = await fetch(`${url}/v0/things/a/echo`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization, content-type",
        },
      });
      expect(asked.status).toBe(200);
      expect(asked.headers.get("access-control-allow-origin")).toBe(origin);
      expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
      expect(asked.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
      for (const path of ["/v0/plain", "/v0/mine", "/v0/none"]) {
        const answer = await fetch(url + path, { headers: { origin } });
        expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, origin]);
      }
      const foreignPage = { origin: "https://example.org", "access-control-request-method": "POST" };
      const refused = await fetch(`${url}/v0/plain`, { method: "OPTIONS", headers: foreignPage });
      expect(refused.status).not.toBe(200);
    },
  );

  test("a local server accepts the hosts and origins on its list, and a malformed origin", async () => {
    const listed = { hosts: ["host.docker.internal"], origins: ["chrome-extension://abcdef"] };
    const url = await serve("splice", { allowedCallers: listed });
    const statuses = (calls: readonly Record<string, string>[]) =>
      Promise.all(calls.map((headers) => statusOf(url, headers)));
    const allowed = [
      { host: "host.docker.internal:5012" },
      { host: "localhost", origin: "chrome-extension://abcdef" },
      { host: "localhost", origin: "no origin at all" },
    ];
    const foreign = [
      { host: "docker.internal" },
      { host: "localhost", origin: "chrome-extension://other" },
      { host: "localhost", origin: "https://host.docker.internal" },
      { host: "localhost", origin: "null" },
    ];
    expect(await statuses(allowed)).toEqual([200, 200, 200]);
    expect(await statuses(foreign)).toEqual([403, 403, 403, 403]);
  });

  test("an answer to a malformed origin is that to no page", async () => {
    const url = await serve("splice");
    const asking = { "access-control-request-method": "POST" };
    for (const origin of ["no origin at all", "example.org", "*"]) {
      const plain = await fetch(`${url}/v0/plain`, { headers: { origin } });
      expect([origin, plain.status, plain.headers.get("access-control-allow-origin")]).toEqual([
        origin,
        200,
        null,
      ]);
      const asked = await fetch(`${url}/v0/plain`, { method: "OPTIONS", headers: { origin, ...asking } });
      expect([origin, asked.headers.get("access-control-allow-origin")]).toEqual([origin, null]);
    }
  });

  test("a server that is not local accepts foreign hosts and origins", async () => {
    const url = await serve("splice", { localCallersOnly: false });
    expect(await statusOf(url, { host: "example.org", origin: "https://example.org" })).toBe(200);
  });
});

describe("failures", () => {
  test.each(["domain", "late-domain"])(
    "the application maps its domain errors to answers (%s)",
    async (how) => {
      const answer = await fetch(`${await serve("splice")}/v0/fail/${how}`);
      expect([answer.status, await answer.json()]).toEqual([418, { error: "fail: no tea is left" }]);
    },
  );

  test.each(["defect", "late-defect"])("a defect tells nothing but an id (%s)", async (how) => {
    const splice = await fetch(`${await serve("splice")}/v0/fail/${how}`);
    expect(splice.status).toBe(500);
    expect(splice.headers.get("x-correlation-id")).toMatch(/^[0-9a-f]{32}$/);
    expect(await splice.json()).toEqual({ error: "An unexpected error occurred." });
    await running?.close();
    const ledger = await fetch(`${await serve("ledger")}/v0/fail/${how}`, {
      headers: { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` },
    });
    expect(ledger.status).toBe(500);
    const body = await ledger.text();
    expect(body).not.toContain("hunter2");
    expect(LedgerErrorBody.parse(JSON.parse(body))).toMatchObject({ code: "NA", traceId: "ab".repeat(16) });
  });

  test("a refusal is answered as it is; a hang-up not at all", async () => {
    const url = await serve("splice");
    const answer = await fetch(`${url}/v0/fail/teapot`);
    expect([answer.status, await answer.json()]).toEqual([418, { error: "teapot" }]);
    await expect(fetch(`${url}/v0/fail/hang-up`)).rejects.toThrow();
  });

  test("a call beyond its deadline is aborted and answered with 503", async () => {
    const url = await serve("splice", { requestTimeoutMilliseconds: 50 });
    const answer = await fetch(`${url}/v0/fail/slow`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: "The server is taking too long to respond to the (GET) request at /v0/fail/slow" },
    ]);
  });

  test("a call beyond the limit of waiting calls is refused at once", async () => {
    const url = await serve("ledger", { maxCalls: 2, requestTimeoutMilliseconds: 500 });
    const slow: readonly Promise<Response>[] = [1, 2].map(() => fetch(`${url}/v0/fail/slow`));
    const plain = () => fetch(`${url}/v0/plain`);
    let third = await plain();
    const ask = async () => {
      third = await plain();
      return third.status;
    };
    await expect.poll(ask, { interval: 5 }).toBe(409);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(LedgerErrorBody.parse(await third.json()).code).toBe("PARTICIPANT_BACKPRESSURE");
    for (const call of slow) expect((await call).status).toBe(504);
    expect((await fetch(`${url}/v0/plain`)).status).toBe(200);
  });

  test("a call whose caller has gone is aborted", async () => {
    const url = await serve("splice", { maxCalls: 1 });
    const gone = new AbortController();
    const call = fetch(`${url}/v0/fail/slow`, { signal: gone.signal });
    const plain = async () => (await fetch(`${url}/v0/plain`)).status;
    await expect.poll(plain, { interval: 5 }).toBe(429);
    gone.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(plain).toBe(200);
  });
});
