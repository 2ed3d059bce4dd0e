/**
 * Errors that are found before the ledger's services are asked. Their bodies tell less: no context but what the error
 * itself has, and the trace's id as the id to ask with.
 */
import { request } from "node:http";
import { expect, test } from "vitest";
import { call, errorOf, type RawAnswer } from "../participant/call.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";
import { failureIn } from "./failure.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
const bearer = async (user: string) => `Bearer ${await tokenFor(user)}`;
const TEN_MEBIBYTES = 10 * 1024 * 1024;

interface Given {
  readonly path: string;
  readonly method?: string;
  readonly authorization?: string;
  readonly text?: string;
}

/** As it is: `fetch` would tidy the path. */
function sendRaw({ path, method = "GET", authorization, text }: Given): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(ledger.participant.url);
    const headers = authorization === undefined ? {} : { authorization };
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let answer = "";
      response.on("data", (part: Buffer) => {
        answer += part;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text: answer, json: JSON.parse(answer) });
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

test.each<[string, () => Promise<Given>, number, string, string]>([
  [
    "a path that cannot be decoded",
    async () => ({ path: "/v2/users/%ff" }),
    400,
    "INVALID_ARGUMENT",
    "UTF-8",
  ],
  [
    "a query that cannot be decoded",
    async () => ({ path: "/v2/users?pageSize=%ff" }),
    400,
    "INVALID_ARGUMENT",
    "Invalid value for: query string",
  ],
  [
    "a number in the query that is none",
    async () => ({ path: "/v2/users?pageSize=1e3" }),
    400,
    "INVALID_ARGUMENT",
    "Invalid value for: query parameter pageSize",
  ],
  [
    "a body that is no JSON",
    async () => ({ path: "/v2/users", method: "POST", text: "{" }),
    400,
    "INVALID_ARGUMENT",
    "Invalid value for: body (",
  ],
  [
    "a user id that is none",
    async () => ({ path: "/v2/users/a%2Fb" }),
    400,
    "INVALID_ARGUMENT",
    "Malformed user-id",
  ],
  [
    "a bearer without a token",
    async () => ({ path: "/v2/users", authorization: "Bearer" }),
    400,
    "INVALID_ARGUMENT",
    "Invalid value for: header Authorization",
  ],
])("%s", async (_, given, status, code, words) => {
  const failure = failureIn(await sendRaw(await given()));
  expect(failure).toMatchObject({ status, code, definiteAnswer: false });
  expect(failure.cause).toContain(words);
  expect([failure.correlationId, failure.context]).toEqual([failure.traceId, {}]);
});

test("a body that is too long", async () => {
  const text = `"${"x".repeat(TEN_MEBIBYTES)}"`;
  const failure = errorOf(await call(`${ledger.participant.url}/v2/users`, { user: ADMIN, text }));
  expect(failure).toMatchObject({ status: 413, code: "INVALID_ARGUMENT", context: {} });
  expect(failure.cause).toContain(`exceeded size limit: at most ${TEN_MEBIBYTES} bytes`);
  expect(failure.correlationId).toBe(failure.traceId);
});

test("a token whose subject is no user id says that the token is invalid, and nothing else", async () => {
  const failure = failureIn(await sendRaw({ path: "/v2/version", authorization: await bearer("who?") }));
  expect(failure).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  expect(failure.context).toEqual({ ledger_api_error: "invalid token" });
  expect(failure.correlationId).toBe(failure.traceId);
});

test("a trace id of zeros is none, and another one is made", async () => {
  const zeros = "0".repeat(32);
  const given = "1".repeat(32);
  for (const [sent, isTaken] of [
    [zeros, false],
    [given, true],
  ] as const) {
    const headers = { traceparent: `00-${sent}-00f067aa0ba902b7-01` };
    const response = await fetch(`${ledger.participant.url}/v2/users`, { headers });
    const { traceId } = (await response.json()) as { traceId: string };
    expect(traceId === sent).toBe(isTaken);
    expect(traceId).not.toBe(zeros);
  }
});
