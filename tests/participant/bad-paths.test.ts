/**
 * Odd paths, queries and masks: what comes back is an answer, or an error in the ledger's shape that left everything as
 * it was; never a defect.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Endpoint,
  formatPath,
  ledgerApi,
  listPathParameters,
  participantAdminApi,
} from "../../packages/api/src/index.ts";
import { ledgerExamples } from "../../packages/api/testing/examples/ledger.ts";
import { participantAdminExamples } from "../../packages/api/testing/examples/participant-admin.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, newActor, readyParticipant, type TestParticipant } from "../support/participants.ts";
import { call, errorOf, type RawAnswer } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let party: string;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  ({ party } = await newActor(participant, "alice"));
});

/** The state that a refused request must leave alone. */
async function snapshot(): Promise<string> {
  const paths = ["/v2/parties", "/v2/users", "/v2/users/alice/rights", "/v2/idps", "/v2/state/ledger-end"];
  const answers = await Promise.all(
    paths.map((path) => call(participant.url + path, { method: "GET", user: ADMIN })),
  );
  return answers.map(({ status, text }) => (status === 200 ? text : `${status}`)).join("\n");
}

/** A path that leads elsewhere, or nowhere, is answered as such. */
function isKnownAnswer(answer: RawAnswer): boolean {
  const { status, json } = answer;
  if (status === 200 || status === 405) return true;
  if (status === 404 && (json as { ledgerApiError?: null }).ledgerApiError === null) return true;
  const error = errorOf(answer);
  return status < 500 || (status === 501 && error.code === "UNSUPPORTED_OPERATION");
}

async function callBadly(endpoint: Endpoint, target: string, body?: unknown): Promise<void> {
  const before = await snapshot();
  const sent = { method: endpoint.method, user: ADMIN, ...(body === undefined ? {} : { body }) };
  const answer = await call(participant.url + target, sent);
  expect(isKnownAnswer(answer), `${target} was answered ${answer.status} ${answer.text.slice(0, 200)}`).toBe(
    true,
  );
  if (answer.status !== 200) expect(await snapshot()).toBe(before);
}

/** As they stand in a URL: also what is no encoding of anything. */
const segment = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }).filter(isWellFormed).map(encodeURIComponent),
  fc.constantFrom(
    "",
    ".",
    "..",
    "%",
    "%2",
    "%FF",
    "%00",
    "%2F",
    "%2e%2e",
    "a%2Fb",
    "::",
    "#",
    "x".repeat(300),
    "é",
  ),
  fc.constantFrom("alice", "-1", "0", "1", "9007199254740993", "1e3", "null", "__proto__", "participant-id"),
);

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

const apis = [
  { api: ledgerApi, examples: ledgerExamples },
  { api: participantAdminApi, examples: participantAdminExamples },
];
const endpoints = apis.flatMap(({ api, examples }) =>
  Object.values<Endpoint>(api.endpoints).map((endpoint) => {
    const { request } = examples[endpoint.id as keyof typeof examples] as { request?: { body?: unknown } };
    return { id: `${api.name} ${endpoint.id}`, base: api.basePath, endpoint, body: request?.body };
  }),
);

describe("an odd parameter in the path causes no internal error", () => {
  const withParams = endpoints.filter(({ endpoint }) => listPathParameters(endpoint.path).length > 0);
  test.each(withParams)("$id", async ({ base, endpoint, body }) => {
    await fc.assert(
      fc.asyncProperty(segment, async (odd) => {
        await callBadly(endpoint, base + endpoint.path.replace(/\{[^}]*\}/g, () => odd), body);
      }),
      { numRuns: 25 },
    );
  });
});

describe("an odd query causes no internal error", () => {
  const withQuery = endpoints.filter(({ endpoint }) => endpoint.query !== undefined);
  test.each(withQuery)("$id", async ({ base, endpoint, body }) => {
    const names = Object.keys(endpoint.query?.shape ?? {});
    const name = fc.oneof(fc.constantFrom(...names), fc.constantFrom("", "x", "__proto__"));
    const pairs = fc.array(fc.tuple(name, segment), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pairs, async (given) => {
        // A list that waits would wait for long.
        const query = given.filter(([key]) => key !== "stream_idle_timeout_ms").map((pair) => pair.join("="));
        const params = Object.fromEntries(listPathParameters(endpoint.path).map((key) => [key, "alice"]));
        const wait = names.includes("stream_idle_timeout_ms") ? ["stream_idle_timeout_ms=0"] : [];
        await callBadly(
          endpoint,
          `${base}${formatPath(endpoint.path, params)}?${[...query, ...wait].join("&")}`,
          body,
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe("an odd update mask causes no internal error", () => {
  const words = [
    "party",
    "is_local",
    "local_metadata",
    "annotations",
    "resource_version",
    "identity_provider_id",
  ];
  const more = [
    "id",
    "primary_party",
    "metadata",
    "issuer",
    "audience",
    "unknown",
    "",
    ".",
    "*",
    "localMetadata",
    "é",
  ];
  const path = fc.array(fc.constantFrom(...words, ...more), { maxLength: 3 }).map((parts) => parts.join("."));
  const paths = fc.array(fc.oneof(path, fc.string({ maxLength: 12 })), { maxLength: 4 });
  const targets = [
    ["parties", () => ({ id: party, of: "partyDetails", value: { party } })],
    ["users", () => ({ id: "alice", of: "user", value: { id: "alice" } })],
    ["idps", () => ({ id: "none", of: "identityProviderConfig", value: { identityProviderId: "none" } })],
  ] as const;

  test.each(targets)("of %s", async (kind, make) => {
    const { id, of, value } = make();
    await fc.assert(
      fc.asyncProperty(paths, fc.boolean(), async (given, isLocal) => {
        const before = await snapshot();
        const answer = await call(`${participant.url}/v2/${kind}/${encodeURIComponent(id)}`, {
          method: "PATCH",
          user: ADMIN,
          body: { [of]: { ...value, isLocal }, updateMask: { paths: given } },
        });
        expect(isKnownAnswer(answer)).toBe(true);
        if (answer.status !== 200) expect(await snapshot()).toBe(before);
        else expect(given.length).toBeGreaterThan(0);
      }),
      { numRuns: 80 },
    );
  });
});
