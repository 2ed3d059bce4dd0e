/** A participant whose callers get their tokens from a real OpenID provider. */
import { systemHost } from "@callsign/node";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTokenVerifier } from "../../packages/node/src/auth/token-verifier.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { startKeyServer } from "../../packages/node/testing/key-server.ts";
import { until } from "../../packages/node/testing/until.ts";
import { call, errorOf } from "../participant/call.ts";
import { newParticipant, type TestParticipant } from "../support/participants.ts";
import { newPrivateKeys, type OpenIdProvider, startOpenIdProvider } from "./openid-provider.ts";

const AUDIENCE = "https://ledger_api.example.com";
const LEDGER = "urn:ledger";
const atEnd = atEndOfFile();
/** No sequencer listens there: these calls need no network. */
const sequencers = ["http://127.0.0.1:9"];
const resources = {
  [LEDGER]: { audience: AUDIENCE, alg: "RS256", seconds: 600 },
  "urn:ledger-ec": { audience: AUDIENCE, alg: "ES256", seconds: 600 },
  "urn:short": { audience: AUDIENCE, alg: "ES256", seconds: 2 },
  "urn:other": { audience: "https://other.example.com", alg: "RS256", seconds: 600 },
} as const;

let provider: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider({ keys: await newPrivateKeys(), resources }, atEnd);
});

function start(jwksUrl: string, target: { audience?: string; scope?: string } = { audience: AUDIENCE }) {
  return newParticipant(sequencers, {
    auth: { kind: "jwks", jwksUrl, ...target },
    adminUsers: ["backend"],
  });
}

function ask({ url }: TestParticipant, token: string) {
  return call(`${url}/v2/authenticated-user`, { method: "GET", authorization: `Bearer ${token}` });
}

describe("with client credentials", () => {
  test.each([LEDGER, "urn:ledger-ec"])("a token for %s is accepted", async (resource) => {
    const participant = await start(provider.jwksUrl);
    const token = await provider.token("backend", resource);
    expect(decodeProtectedHeader(token).alg).toBe(resources[resource as keyof typeof resources].alg);
    const answer = await ask(participant, token);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ user: { id: "backend", identityProviderId: "" } });
  });

  test("a token for another audience is refused", async () => {
    const participant = await start(provider.jwksUrl);
    const refused = errorOf(await ask(participant, await provider.token("backend", "urn:other")));
    expect(refused).toMatchObject({ status: 401, code: "NA", grpcCodeValue: 16, context: {} });
  });

  test("a scope is accepted in place of an audience", async () => {
    const participant = await start(provider.jwksUrl, { scope: "daml_ledger_api" });
    expect((await ask(participant, await provider.token("backend", "urn:other"))).status).toBe(200);
    const other = await start(provider.jwksUrl, { scope: "another" });
    expect((await ask(other, await provider.token("backend", LEDGER))).status).toBe(401);
  });

  test("an application that is no user is refused on every API", async () => {
    const participant = await start(provider.jwksUrl);
    const authorization = `Bearer ${await provider.token("worker", LEDGER)}`;
    for (const path of ["/v2/authenticated-user", "/v2/version"]) {
      const refused = errorOf(await call(participant.url + path, { method: "GET", authorization }));
      expect(refused).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
    }
  });

  test("a token is accepted until its end and not after it", async () => {
    const participant = await start(provider.jwksUrl);
    const token = await provider.token("backend", "urn:short");
    expect((await ask(participant, token)).status).toBe(200);
    await until(async () => (await ask(participant, token)).status === 401, "the token is refused");
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(decodeJwt(token).exp ?? Number.NaN);
  });

  test("a validator accepts the same tokens", async () => {
    const verify = createTokenVerifier(
      { kind: "jwks", jwksUrl: provider.jwksUrl, audience: AUDIENCE },
      { host: systemHost },
    );
    expect(await verify(await provider.token("backend", LEDGER))).toMatchObject({ subject: "backend" });
    await expect(verify(await provider.token("backend", "urn:other"))).rejects.toThrow("audience");
  });
});

test("tokens of rotated keys are accepted without a restart", async () => {
  const first = await startOpenIdProvider({ keys: await newPrivateKeys(), resources }, onTestFinished);
  const participant = await start(first.jwksUrl);
  const old = await first.token("backend", LEDGER);
  expect((await ask(participant, old)).status).toBe(200);
  await first.close();
  const { port } = first;
  const second = await startOpenIdProvider({ port, keys: await newPrivateKeys(), resources }, onTestFinished);
  const fresh = await second.token("backend", LEDGER);
  expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
  expect((await ask(participant, fresh)).status).toBe(200);
  expect((await ask(participant, await second.token("backend", "urn:ledger-ec"))).status).toBe(200);
  // The set that has the new keys has the old one no more.
  expect((await ask(participant, old)).status).toBe(401);
});

test("tokens are accepted once a provider that started after the participant answers", async () => {
  const keys = await newPrivateKeys();
  const early = await startOpenIdProvider({ keys, resources }, onTestFinished);
  const token = await early.token("backend", LEDGER);
  await early.close();
  const participant = await start(early.jwksUrl);
  expect(errorOf(await ask(participant, token))).toMatchObject({ status: 401, code: "NA" });
  expect((await call(`${participant.url}/livez`, { method: "GET" })).status).toBe(200);
  await startOpenIdProvider({ port: early.port, keys, resources }, onTestFinished);
  await until(async () => (await ask(participant, token)).status === 200, "the token is believed");
});

test("tokens of known keys are accepted after the provider has died", async () => {
  const first = await startOpenIdProvider({ keys: await newPrivateKeys(), resources }, onTestFinished);
  const participant = await start(first.jwksUrl);
  const [one, two] = [await first.token("backend", LEDGER), await first.token("backend", "urn:ledger-ec")];
  expect((await ask(participant, one)).status).toBe(200);
  await first.close();
  expect((await ask(participant, two)).status).toBe(200);
  const stranger = await provider.token("backend", LEDGER);
  expect((await ask(participant, stranger)).status).toBe(401);
  expect((await ask(participant, one)).status).toBe(200);
});

test.each(["hang", "huge"] as const)(
  "a key server that answers with %s delays no tokens of other services",
  async (behaviour) => {
    const token = await provider.token("backend", LEDGER);
    const { keys } = (await (await fetch(provider.jwksUrl)).json()) as { keys: readonly object[] };
    const server = await startKeyServer(keys, { behaviour });
    const participant = await start(server.url);
    const answered: string[] = [];
    const waiting = ask(participant, token).then(({ status }) => {
      answered.push("token");
      return status;
    });
    expect((await call(`${participant.url}/v2/version`, { method: "GET" })).status).toBe(200);
    if (behaviour === "hang") expect(answered).toEqual([]);
    expect(await waiting).toBe(401);
    if (behaviour === "hang") return;
    server.behaviour = "honest";
    await until(async () => (await ask(participant, token)).status === 200, "the token is believed");
  },
);

test("several token services are asked in their order", async () => {
  const other = await startOpenIdProvider({ keys: await newPrivateKeys(), resources }, onTestFinished);
  const participant = await newParticipant(sequencers, {
    auth: [
      { kind: "jwks", jwksUrl: provider.jwksUrl, audience: "https://other.example.com" },
      { kind: "jwks", jwksUrl: other.jwksUrl, audience: AUDIENCE },
    ],
    adminUsers: ["backend"],
  });
  expect((await ask(participant, await provider.token("backend", "urn:other"))).status).toBe(200);
  expect((await ask(participant, await other.token("backend", LEDGER))).status).toBe(200);
  expect((await ask(participant, await provider.token("backend", LEDGER))).status).toBe(401);
  expect((await ask(participant, await other.token("backend", "urn:other"))).status).toBe(401);
});
