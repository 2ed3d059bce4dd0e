/** Malformed requests get an answer or a ledger error that changed nothing, and never reveal a defect. */
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, formatPath, ledgerApi } from "../../packages/api/src/index.ts";
import { ledgerExamples } from "../../packages/api/testing/examples/ledger.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, newParticipant, readyParticipant, type TestParticipant } from "../support/participants.ts";
import { call, errorOf } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;

beforeAll(async () => {
  participant = await readyParticipant({ auth: { kind: "none" } }, atEnd);
});

const endpoints = Object.values<Endpoint>(ledgerApi.endpoints);
// No client of the web sends a body with a GET.
const withBody = endpoints.filter(({ body, method }) => body !== undefined && method !== "GET");

function urlOf(endpoint: Endpoint): string {
  const params = { party: "alice::1220ab", "user-id": "alice" };
  const search = endpoint.id === "listUpdates" ? "?stream_idle_timeout_ms=0" : "";
  return participant.url + formatPath(endpoint.path, params) + search;
}

/** The state that a refused request must leave alone: the ledger, the parties, the users that requests here name. */
async function snapshot(): Promise<string> {
  const users = ["alice", "app-user", ADMIN].flatMap((id) => [`/v2/users/${id}`, `/v2/users/${id}/rights`]);
  const paths = ["/v2/state/ledger-end", "/v2/parties", ...users];
  const answers = await Promise.all(paths.map((path) => call(participant.url + path, { method: "GET" })));
  return answers.map(({ status, text }) => (status === 200 ? text : `${status}`)).join("\n");
}

/** Looks at the state are many requests each: one look is for some refusals. */
const REFUSALS_A_LOOK = 12;
let state: string | null = null;
let refusals = 0;

async function look(): Promise<void> {
  if (state !== null && refusals > 0) expect(await snapshot()).toBe(state);
  refusals = 0;
}
afterEach(look);

async function callBadly(endpoint: Endpoint, given: { readonly text?: string; readonly body?: unknown }) {
  state ??= await snapshot();
  const answer = await call(urlOf(endpoint), { method: endpoint.method, ...given });
  if (answer.status === 200) {
    state = null;
    refusals = 0;
    return;
  }
  const { status, code } = errorOf(answer);
  if (code === "UNSUPPORTED_OPERATION") expect(status).toBe(501);
  else expect(status).toBeLessThan(500);
  refusals++;
  if (refusals === REFUSALS_A_LOOK) await look();
}

describe.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (_, endpoint) => {
  test.each(["", "{", "null", "[]", "1", '"x"', '{"a":'.repeat(500), "\u0000", "{}"])(
    "answers the body %j without an internal error, and a refusal changes nothing",
    async (text) => {
      await callBadly(endpoint, { text });
    },
  );

  test("answers examples with one value replaced, and a refusal changes nothing", async () => {
    const example = ledgerExamples[endpoint.id as keyof typeof ledgerExamples] as {
      request?: { body: unknown };
    };
    const odd = fc.oneof(
      fc.constantFrom(null, true, -1, 1e300, 0.5, "", "\u0000", "::", "#a:b:c", "x".repeat(10_000), [], {}, [
        [],
      ]),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), odd, async (place, value) => {
        const body = replaceAt(example.request?.body, place, value);
        await callBadly(endpoint, { body });
      }),
      { numRuns: 60 },
    );
  });
});

/** The value with one of its parts replaced, whichever `place` falls on. */
function replaceAt(value: unknown, place: number, other: unknown): unknown {
  const paths = listPaths(value);
  const path = paths[place % paths.length] ?? [];
  return replace(value, path, other);
}

function listPaths(value: unknown): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, each]) => listPaths(each).map((path) => [key, ...path]));
  return [[], ...inner];
}

function replace(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === key ? replace(each, rest, other) : each));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replace(object[key], rest, other) };
}

describe("a malformed query or path is refused with its reason", () => {
  test.each([
    ["/v2/parties?pageSize=-1", "Page size must be non-negative"],
    ["/v2/parties?pageSize=10001", "Page size must not exceed the server's maximum"],
    ["/v2/parties?pageSize=x", "Invalid value for: query parameter pageSize"],
    ["/v2/parties?pageToken=0d0c9e22-1a2b", "Invalid page token"],
    ["/v2/parties?filter-party=%F0%9F%98%80", "filterString"],
    ["/v2/parties/%F0%9F%98%80", "non expected character"],
    ["/v2/parties/%FF", "not valid percent-encoded UTF-8"],
    ["/v2/users/a%3Fb", "Malformed user-id"],
    [`/v2/users/${"u".repeat(129)}`, "Malformed user-id"],
  ])("%s", async (path, words) => {
    const refused = errorOf(await call(participant.url + path, { method: "GET" }));
    expect(refused.status).toBe(400);
    expect(refused.cause).toContain(words);
  });

  test("another path and another method are answered as the API does", async () => {
    expect((await call(`${participant.url}/v2/nothing`, { method: "GET" })).json).toMatchObject({
      status: 404,
    });
    expect((await call(`${participant.url}/v2/version`, { method: "POST" })).status).toBe(405);
  });
});

test("without tokens a submission names its user itself", async () => {
  const { partyDetails } = await participant.as(null).allocateParty({ body: { partyIdHint: "open" } });
  const body = { commands: [], commandId: "a", actAs: [partyDetails.party] };
  const url = `${participant.url}/v2/commands/submit-and-wait`;
  expect(errorOf(await call(url, { body }))).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  expect(errorOf(await call(url, { body: { ...body, userId: ADMIN } }))).toMatchObject({
    code: "MISSING_FIELD",
  });
});

test("a body without a token is decoded before the refusal, unless it is long", async () => {
  const { url } = await newParticipant(["http://127.0.0.1:9"]);
  const refuse = async (text: string) => {
    const { status, code } = errorOf(await call(`${url}/v2/users`, { text }));
    return [status, code];
  };
  expect(await refuse("{")).toEqual([400, "INVALID_ARGUMENT"]);
  expect(await refuse(`${"[".repeat(524_288)}`)).toEqual([400, "INVALID_ARGUMENT"]);
  expect(await refuse(`${"[".repeat(524_289)}`)).toEqual([401, "NA"]);
});
