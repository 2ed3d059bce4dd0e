/** A validator's client towards its participant, with tokens that a real OpenID provider gives for a client's secret. */
import { type Host, openTokenSource, systemHost, TokenUnavailable } from "@callsign/node";
import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ClientCredentials } from "../../packages/node/src/auth/openid-tokens.ts";
import type { Log } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { call } from "../participant/call.ts";
import { newParticipant } from "../support/participants.ts";
import {
  newPrivateKeys,
  type OpenIdProvider,
  type Resource,
  secretOf,
  startOpenIdProvider,
  VALIDATOR_CLIENT,
} from "./openid-provider.ts";

const AUDIENCE = "https://ledger_api.example.com";
const USER = `${VALIDATOR_CLIENT}@clients`;
const SECRET = secretOf(VALIDATOR_CLIENT);
const resources: Readonly<Record<string, Resource>> = {
  [AUDIENCE]: { audience: AUDIENCE, alg: "RS256", seconds: 600 },
  "urn:ledger-ec": { audience: AUDIENCE, alg: "ES256", seconds: 600 },
  "urn:ten": { audience: AUDIENCE, alg: "ES256", seconds: 10 },
  "urn:two": { audience: AUDIENCE, alg: "ES256", seconds: 2 },
  "urn:other": { audience: "https://other.example.com", alg: "ES256", seconds: 600 },
};
const atEnd = atEndOfFile();
let keys: readonly JWK[];
let provider: OpenIdProvider;
let participantUrl: string;

beforeAll(async () => {
  keys = await newPrivateKeys();
  provider = await startOpenIdProvider({ keys, resources }, atEnd);
  participantUrl = await startParticipant(provider.jwksUrl);
});

async function startParticipant(jwksUrl: string): Promise<string> {
  const auth = { kind: "jwks", jwksUrl, audience: AUDIENCE } as const;
  const options = { auth, adminUsers: [USER, "backend"] };
  // No sequencer listens there: these calls need no network.
  return (await newParticipant(["http://127.0.0.1:9"], options, atEnd)).url;
}

/** Time since some moment, which a test moves; other clocks and timers are the machine's. */
class Moved {
  milliseconds = 0;
  readonly host: Host = {
    ...systemHost,
    clock: {
      ...systemHost.clock,
      elapsedMilliseconds: () => systemHost.clock.elapsedMilliseconds() + this.milliseconds,
    },
  };
}

interface Start {
  readonly from?: OpenIdProvider;
  readonly at?: string;
  readonly userId?: string;
  readonly credentials?: Partial<ClientCredentials>;
  readonly host?: Host;
}

/** A participant's client with a token source, and the lines that the source logs. */
function open({
  from = provider,
  at = participantUrl,
  userId = USER,
  host = systemHost,
  credentials,
}: Start = {}) {
  const lines: string[] = [];
  const write = (fields: object, message: string) =>
    void lines.push(`${message} ${Object.values(fields).join(" ")}`);
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  const stopping = new AbortController();
  const source = openTokenSource(
    {
      ...{ kind: "client-credentials", wellKnownUrl: from.wellKnownUrl, audience: AUDIENCE },
      ...{ clientId: VALIDATOR_CLIENT, clientSecret: SECRET, scope: "daml_ledger_api" },
      ...credentials,
    },
    { host, log, stopping: stopping.signal, userId },
  );
  const participant = new ParticipantClient({ url: at, userId, ...source, host });
  onTestFinished(() => {
    stopping.abort();
    participant.close();
  });
  const ask = async () => (await participant.client.getAuthenticatedUser({})).user.id;
  return { ...source, ask, lines };
}

test.each([AUDIENCE, "urn:ledger-ec"])("one token for %s serves all calls of the user", async (audience) => {
  const before = provider.asked();
  const { ask, token } = open({ credentials: { audience } });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([USER, USER, USER]);
  expect(await ask()).toBe(USER);
  expect(provider.asked() - before).toBe(1);
  const { alg } = decodeProtectedHeader((await token()) ?? "");
  expect(alg).toBe(resources[audience]?.alg);
  expect(decodeJwt((await token()) ?? "")).toMatchObject({
    sub: USER,
    aud: AUDIENCE,
    scope: "daml_ledger_api",
  });
});

test("a token is renewed two minutes before its end, or halfway, while callers go on with the old one", async () => {
  for (const [audience, first, renewal] of [
    [AUDIENCE, 479_000, 481_000],
    ["urn:ten", 4000, 6000],
  ] as const) {
    const moved = new Moved();
    const before = provider.asked();
    const { token, ask } = open({ host: moved.host, credentials: { audience } });
    const old = await token();
    moved.milliseconds = first;
    expect(await token()).toBe(old);
    moved.milliseconds = renewal;
    expect(await token()).toBe(old);
    await until(async () => (await token()) !== old, "the token is renewed");
    expect(provider.asked() - before).toBe(2);
    expect(await ask()).toBe(USER);
  }
});

test("tokens of two seconds are renewed for as long as they are asked for", async () => {
  const { token, ask } = open({ credentials: { audience: "urn:two" } });
  const seen = new Set<string | undefined>();
  await until(async () => {
    const current = await token();
    if (!seen.has(current)) expect(await ask()).toBe(USER);
    seen.add(current);
    return seen.size === 3;
  }, "two tokens are renewed");
});

test("a refused token is replaced within the call: the provider has rotated its keys", async () => {
  const first = await startOpenIdProvider({ keys, resources }, onTestFinished);
  const at = await startParticipant(first.jwksUrl);
  const { ask, token } = open({ from: first, at });
  expect(await ask()).toBe(USER);
  const old = await token();
  await first.close();
  const second = await startOpenIdProvider(
    { port: first.port, keys: await newPrivateKeys(), resources },
    onTestFinished,
  );
  // Another's token has the participant fetch the new keys, which the old token is not of.
  const authorization = `Bearer ${await second.token("backend", AUDIENCE)}`;
  expect((await call(`${at}/v2/authenticated-user`, { method: "GET", authorization })).status).toBe(200);
  expect(await ask()).toBe(USER);
  expect(await token()).not.toBe(old);
  expect(second.asked()).toBe(2);
});

test("a provider that is down is told with its URL, and its return is noticed; a valid token outlasts it", async () => {
  const early = await startOpenIdProvider({ keys, resources }, onTestFinished);
  const { port, wellKnownUrl } = early;
  await early.close();
  const moved = new Moved();
  const { ask, lines } = open({ from: early, at: await startParticipant(early.jwksUrl), host: moved.host });
  const missing = `the OpenID configuration ${wellKnownUrl} does not answer: connect ECONNREFUSED`;
  await expect(ask()).rejects.toThrow(TokenUnavailable);
  await expect(ask()).rejects.toThrow(missing);
  expect(lines).toEqual([expect.stringContaining(missing)]);
  const late = await startOpenIdProvider({ port, keys, resources }, onTestFinished);
  moved.milliseconds = 10_000;
  expect(await ask()).toBe(USER);
  await late.close();
  moved.milliseconds += 590_000;
  expect(await ask()).toBe(USER);
  moved.milliseconds += 20_000;
  await expect(ask()).rejects.toThrow(missing);
});

describe("a missing token is told with its cause, and without the secret", () => {
  const SPLIT = "hunter2 & co";

  test.each([
    [
      "a wrong secret",
      { clientSecret: SPLIT },
      {},
      /token endpoint http.*\/token answers with status 401 for the client "validator".*invalid_client/,
    ],
    [
      "an unknown client",
      { clientId: "stranger", clientSecret: SPLIT },
      {},
      /status 401 for the client "stranger"/,
    ],
    [
      "an unknown audience",
      { audience: "urn:nowhere" },
      {},
      /status 400 .*the audience "urn:nowhere": invalid_target/,
    ],
    [
      "another user",
      {},
      { userId: "ledger-api-user" },
      /names the user "validator@clients", but ledger-api-user is "ledger-api-user": make them equal/,
    ],
    [
      "a wrong address",
      { wellKnownUrl: "PROVIDER/nowhere" },
      {},
      /OpenID configuration http.*nowhere answers with status 404/,
    ],
    [
      "an address that is no document",
      { wellKnownUrl: "PARTICIPANT/v2/version" },
      {},
      /v2\/version is no JSON with a token_endpoint/,
    ],
  ] as const)("%s", async (_, change, start, reason) => {
    const given = "wellKnownUrl" in change ? change.wellKnownUrl : provider.wellKnownUrl;
    const wellKnownUrl = given.replace("PROVIDER", provider.issuer).replace("PARTICIPANT", participantUrl);
    const { ask, lines } = open({ ...start, credentials: { ...change, wellKnownUrl } });
    const error = await ask().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TokenUnavailable);
    expect(String(error)).toMatch(reason);
    expect(lines.join("\n")).toMatch(reason);
    for (const text of [String(error), lines.join("\n")]) expect(text).not.toMatch(/hunter2|'s secret/);
  });
});

test("tokens that the participant keeps refusing cause few fetches", async () => {
  const moved = new Moved();
  const before = provider.asked();
  const { ask, lines } = open({ host: moved.host, credentials: { audience: "urn:other" } });
  for (let i = 0; i < 8; i++) await expect(ask()).rejects.toMatchObject({ status: 401 });
  expect(provider.asked() - before).toBe(4);
  expect(lines[0]).toMatch(/gave a token for another audience https:\/\/other\.example\.com urn:other$/);
  expect(lines.filter((line) => line.includes("another audience"))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/several new tokens in a row were refused/);
  moved.milliseconds = 30_000;
  for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject({ status: 401 });
  expect(provider.asked() - before).toBe(5);
});
