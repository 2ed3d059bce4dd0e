import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { contractId, dso } from "../testing/examples/samples.ts";
import { listen, serveTable } from "../testing/table-server.ts";
import {
  type CallFailure,
  type ClientOptions,
  createClient,
  findLedgerError,
  findSpliceMessage,
  HttpError,
  ledgerApi,
  SchemaViolation,
  scanApi,
  TransportError,
  validatorApi,
} from "./index.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void;

/** A scan that does as it likes, and a client for it. */
async function scanThat(handle: Handle, options: Partial<ClientOptions> = {}) {
  const { url, close } = await listen(handle);
  closing.push(close);
  return createClient(scanApi, { fetch, baseUrl: url, ...options });
}

function answering(status: number, body: string, headers: Record<string, string> = {}): Handle {
  return (_, response) => response.writeHead(status, headers).end(body);
}

async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof TransportError) return outcome;
  if (outcome instanceof HttpError || outcome instanceof SchemaViolation) return outcome;
  throw new Error(`expected a failed call, got ${String(outcome)}`);
}

describe("a request", () => {
  test("carries encoded path parameters, query and the token; its base url may end in a slash", async () => {
    const seen: string[] = [];
    const client = await scanThat(
      (incoming, response) => {
        seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization}`);
        response.end(JSON.stringify({ entries: [] }));
      },
      { token: () => Promise.resolve("abc") },
    );
    await client.listAnsEntries({ query: { name_prefix: "a b/é", page_size: 3 } });
    await client.lookupAnsEntryByParty({ params: { party: dso } }).catch(() => undefined);
    await client.lookupAnsEntryByName({ params: { name: "a/b?c#d%2F" } }).catch(() => undefined);
    expect(seen).toEqual([
      "GET /v0/ans-entries?name_prefix=a%20b%2F%C3%A9&page_size=3 Bearer abc",
      `GET /v0/ans-entries/by-party/${dso.replace("::", "%3A%3A")} Bearer abc`,
      "GET /v0/ans-entries/by-name/a%2Fb%3Fc%23d%252F Bearer abc",
    ]);
  });

  test("without a token has no Authorization, without a body no Content-Type", async () => {
    const server = await serveTable(scanApi, () => ({ dso_party_id: dso }));
    closing.push(server.close);
    const client = createClient(scanApi, { fetch, baseUrl: `${server.baseUrl}//`, token: () => undefined });
    expect(await client.getDsoPartyId()).toEqual({ dso_party_id: dso });
    expect(server.arrived[0]?.headers).not.toHaveProperty("authorization");
    expect(server.arrived[0]?.headers).not.toHaveProperty("content-type");
  });

  test("takes a failing token provider's error as it is: nothing was sent", async () => {
    const client = createClient(scanApi, {
      fetch: () => Promise.reject(new Error("must not be called")),
      baseUrl: "http://localhost",
      token: () => Promise.reject(new Error("no token today")),
    });
    await expect(client.getDsoPartyId()).rejects.toThrow("no token today");
  });

  test("is sent once more with another token after a 401, and no third time", async () => {
    const tokens = ["first", "second", "third"];
    const seen: (string | undefined)[] = [];
    const rejected: string[] = [];
    const client = await scanThat(
      ({ headers }, response) => {
        seen.push(headers.authorization);
        const isValid = headers.authorization === "Bearer second";
        response.writeHead(isValid ? 200 : 401).end(JSON.stringify({ dso_party_id: dso }));
      },
      { token: () => tokens[rejected.length], onRejected: (token) => rejected.push(token) },
    );
    expect(await client.getDsoPartyId()).toEqual({ dso_party_id: dso });
    expect([seen.splice(0), rejected]).toEqual([["Bearer first", "Bearer second"], ["first"]]);
    tokens.splice(1, 1, "other");
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ kind: "http", status: 401 });
    expect([seen, rejected]).toEqual([
      ["Bearer other", "Bearer third"],
      ["first", "other"],
    ]);
  });

  test("is sent once if there is no other token", async () => {
    let asked = 0;
    const client = await scanThat(
      (_, response) => {
        asked++;
        response.writeHead(401).end();
      },
      { token: () => "only", onRejected: () => undefined },
    );
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ kind: "http", status: 401 });
    expect(asked).toBe(1);
  });

  test.each(["", ".", "..", "\ud800"])("that no URL can carry is not sent: %j", async (name) => {
    const client = createClient(scanApi, {
      fetch: () => Promise.reject(new Error("must not be called")),
      baseUrl: "http://localhost",
    });
    const failure = await failureOf(client.lookupAnsEntryByName({ params: { name } }));
    expect(failure).toMatchObject({ kind: "transport", failure: "unsendable" });
  });

  test("has the types of its endpoint", () => {
    const client = createClient(validatorApi, { fetch, baseUrl: "" });
    const calls = () => [
      client.getBalance(),
      client.scanProxyGetAnsRules(),
      client.scanProxyListAnsEntries({ query: { page_size: 3 } }),
      // @ts-expect-error: the name is missing
      client.scanProxyLookupAnsEntryByName(),
      // @ts-expect-error: a page size is a number
      client.scanProxyListAnsEntries({ query: { page_size: "3" } }),
      // @ts-expect-error: a body is needed
      client.tap({}),
      // @ts-expect-error: an amount is a text
      client.tap({ body: { amount: 3 } }),
      // @ts-expect-error: an answer has no such field
      client.getBalance().then(({ coin }) => coin),
    ];
    expect(calls).toBeTypeOf("function");
  });
});

describe("no answer", () => {
  test("where nobody listens is a network failure", async () => {
    const { url, close } = await listen(() => undefined);
    await close();
    const failure = await failureOf(createClient(scanApi, { fetch, baseUrl: url }).getDsoPartyId());
    expect(failure).toMatchObject({ name: "TransportError", kind: "transport", failure: "network" });
    expect(failure.message).toMatch(/^getDsoPartyId at http:\/\/127.*: network: .*ECONNREFUSED/);
  });

  test("that breaks off in the middle is a network failure", async () => {
    const client = await scanThat((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"dso_party', () => response.destroy());
    });
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ kind: "transport", failure: "network" });
  });

  test("in time is a timeout, before the headers and after them", async () => {
    const silent = await scanThat(() => undefined, { timeoutMilliseconds: 40 });
    expect(await failureOf(silent.getDsoPartyId())).toMatchObject({ failure: "timeout" });
    const slow = await scanThat((_, response) => response.writeHead(200).write("{"));
    const failure = await failureOf(slow.getDsoPartyId({}, { timeoutMilliseconds: 40 }));
    expect(failure).toMatchObject({ kind: "transport", failure: "timeout" });
  });

  test("that the caller waits for any longer is aborted", async () => {
    const controller = new AbortController();
    const client = await scanThat(() => controller.abort());
    const failure = await failureOf(client.getDsoPartyId({}, { signal: controller.signal }));
    expect(failure).toMatchObject({ kind: "transport", failure: "aborted" });
  });

  test.each([
    ["announced", { "content-length": "1001" }],
    ["streamed", {}],
  ])("larger than the limit is read, when %s", async (_, headers) => {
    const client = await scanThat(answering(200, `"${"x".repeat(999)}"`, headers), {
      maxResponseBytes: 1000,
    });
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ failure: "too-large" });
    const wider = await scanThat(answering(200, `"${"x".repeat(998)}"`), { maxResponseBytes: 1000 });
    expect(await failureOf(wider.getDsoPartyId())).toMatchObject({ kind: "schema" });
  });

  test("without an end is left once it is too large", async () => {
    const client = await scanThat(
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(1000)));
        };
        response.on("drain", more).on("error", () => undefined);
        more();
      },
      { maxResponseBytes: 10_000 },
    );
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ failure: "too-large" });
  });
});

describe("an answer that says no", () => {
  test("carries its status and its parsed body", async () => {
    const body = JSON.stringify({ error: "No ans entry found for name: bob.cns" });
    const client = await scanThat(answering(404, body, { "content-type": "application/json" }));
    const failure = await failureOf(client.lookupAnsEntryByName({ params: { name: "bob.cns" } }));
    expect(failure).toMatchObject({ name: "HttpError", kind: "http", status: 404 });
    expect((failure as HttpError).body).toEqual({ error: "No ans entry found for name: bob.cns" });
    expect(findSpliceMessage(failure as HttpError)).toBe("No ans entry found for name: bob.cns");
    expect(failure.message).toContain("status 404");
  });

  test("may be a line of text, or nothing", async () => {
    const text = await scanThat(answering(429, "Too Many Requests: Server is busy, please try again later."));
    expect(findSpliceMessage((await failureOf(text.getDsoPartyId())) as HttpError)).toMatch(/^Too Many/);
    const silent = await scanThat(answering(503, ""));
    expect(await failureOf(silent.isReady())).toMatchObject({ status: 503, body: "" });
  });

  test("may be a redirect, which is not followed", async () => {
    const client = await scanThat(answering(302, "", { location: "/version" }));
    expect(await failureOf(client.getDsoPartyId())).toMatchObject({ kind: "http", status: 302 });
  });

  test("of the ledger API carries the ledger error body", async () => {
    const server = await serveTable(ledgerApi, () => undefined);
    closing.push(server.close);
    const client = createClient(ledgerApi, { fetch, baseUrl: server.baseUrl });
    const body = { contractId: contractId("1"), eventFormat: 5 as never };
    const failure = (await failureOf(client.getEventsByContractId({ body }))) as HttpError;
    expect(failure.status).toBe(400);
    expect(findLedgerError(failure)).toMatchObject({ code: "INVALID_ARGUMENT", definiteAnswer: false });
    expect(findSpliceMessage(failure)).toBeUndefined();
    expect(findLedgerError(new HttpError(failure.site, 400, "text"))).toBeUndefined();
  });
});

describe("an answer outside its contract", () => {
  test.each([
    ["not JSON", "<html>", /is not JSON/],
    ["empty", "", /is not JSON/],
    ["of another shape", '{"dso_party_id":5}', /dso_party_id: expected string, received number/],
    ["without a field", "{}", /dso_party_id: is missing/],
    ["null", "null", /expected object, received null/],
  ])("is a schema violation: %s", async (_, body, problem) => {
    const client = await scanThat(answering(200, body));
    const failure = await failureOf(client.getDsoPartyId());
    expect(failure).toMatchObject({ name: "SchemaViolation", kind: "schema" });
    expect(failure.message).toMatch(problem);
  });
});
