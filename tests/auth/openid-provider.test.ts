/** The tokens that a participant accepts: of a real OpenID provider, and by the default rules for whom a token is meant. */
import { systemHost } from "@callsign/node";
import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTokenVerifier } from "../../packages/node/src/auth/token-verifier.ts";
import { type AtEnd, atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { until } from "../../packages/node/testing/until.ts";
import { newProvider, newUser } from "../conformance/identity-providers.ts";
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

let keys: readonly JWK[];
let otherKeys: readonly JWK[];
let provider: OpenIdProvider;
/** It takes the provider's tokens. */
let participant: TestParticipant;

beforeAll(async () => {
  [keys, otherKeys] = await Promise.all([newPrivateKeys(), newPrivateKeys()]);
  provider = await startOpenIdProvider({ keys, resources }, atEnd);
  participant = await start(provider.jwksUrl, { audience: AUDIENCE }, atEnd);
});

function start(
  jwksUrl: string,
  target: { audience?: string; scope?: string } = { audience: AUDIENCE },
  closing: AtEnd = onTestFinished,
) {
  const auth = { kind: "jwks", jwksUrl, ...target } as const;
  return newParticipant(sequencers, { auth, adminUsers: ["backend"] }, closing);
}

function ask({ url }: TestParticipant, token: string) {
  return call(`${url}/v2/authenticated-user`, { method: "GET", authorization: `Bearer ${token}` });
}

describe("with client credentials", () => {
  test.each([LEDGER, "urn:ledger-ec"])("a token for %s is accepted", async (resource) => {
    const token = await provider.token("backend", resource);
    expect(decodeProtectedHeader(token).alg).toBe(resources[resource as keyof typeof resources].alg);
    const answer = await ask(participant, token);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ user: { id: "backend", identityProviderId: "" } });
  });

  test("a token for another audience is refused", async () => {
    const refused = errorOf(await ask(participant, await provider.token("backend", "urn:other")));
    expect(refused).toMatchObject({ status: 401, code: "NA", grpcCodeValue: 16, context: {} });
  });

  test("a scope is accepted in place of an audience", async () => {
    const scoped = await start(provider.jwksUrl, { scope: "daml_ledger_api" });
    expect((await ask(scoped, await provider.token("backend", "urn:other"))).status).toBe(200);
    const other = await start(provider.jwksUrl, { scope: "another" });
    expect((await ask(other, await provider.token("backend", LEDGER))).status).toBe(401);
  });

  test("an application that is no user is refused on every API", async () => {
    const authorization = `Bearer ${await provider.token("worker", LEDGER)}`;
    for (const path of ["/v2/authenticated-user", "/v2/version"]) {
      const refused = errorOf(await call(participant.url + path, { method: "GET", authorization }));
      expect(refused).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
    }
  });

  test("a token is accepted until its end and not after it", async () => {
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
  const first = await startOpenIdProvider({ keys, resources }, onTestFinished);
  const rotated = await start(first.jwksUrl);
  const old = await first.token("backend", LEDGER);
  expect((await ask(rotated, old)).status).toBe(200);
  await first.close();
  const { port } = first;
  const second = await startOpenIdProvider({ port, keys: otherKeys, resources }, onTestFinished);
  const fresh = await second.token("backend", LEDGER);
  expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
  expect((await ask(rotated, fresh)).status).toBe(200);
  expect((await ask(rotated, await second.token("backend", "urn:ledger-ec"))).status).toBe(200);
  // The set that has the new keys has the old one no more.
  expect((await ask(rotated, old)).status).toBe(401);
});

test("a key is published, used, and the one before it removed: tokens of both count as long as the set has them", async () => {
  const [old, fresh] = [await newSigner("RS256"), await newSigner("RS256")];
  const server = await startKeyServer([old.publicJwk]);
  const machine = { later: 0 };
  const { clock } = systemHost;
  const elapsedMilliseconds = () => clock.elapsedMilliseconds() + machine.later;
  const rotating = await newParticipant(sequencers, {
    auth: { kind: "jwks", jwksUrl: server.url, audience: AUDIENCE },
    adminUsers: ["backend"],
    system: { ...systemHost, clock: { ...clock, elapsedMilliseconds } },
  });
  const claims = { sub: "backend", aud: AUDIENCE };
  const [oldToken, freshToken] = [await old.sign(claims), await fresh.sign(claims)];
  const statuses = async () => [
    (await ask(rotating, oldToken)).status,
    (await ask(rotating, freshToken)).status,
  ];
  expect(await statuses()).toEqual([200, 401]);
  server.keys = [old.publicJwk, fresh.publicJwk];
  expect(await statuses()).toEqual([200, 200]);
  machine.later += 3_600_000;
  expect(await statuses()).toEqual([200, 200]);
  server.keys = [fresh.publicJwk];
  const asked = server.asked();
  // The first call after half a minute has the set fetched again, and is answered by the old one.
  machine.later += 30_001;
  expect(await statuses()).toEqual([200, 200]);
  await until(() => server.asked() > asked, "the set was asked for");
  await until(async () => (await ask(rotating, oldToken)).status === 401, "the old key is refused");
  expect(await statuses()).toEqual([401, 200]);
});

test("tokens are accepted once a provider that started after the participant answers", async () => {
  const early = await startOpenIdProvider({ keys, resources }, onTestFinished);
  const token = await early.token("backend", LEDGER);
  await early.close();
  const waiting = await start(early.jwksUrl);
  expect(errorOf(await ask(waiting, token))).toMatchObject({ status: 401, code: "NA" });
  expect((await call(`${waiting.url}/livez`, { method: "GET" })).status).toBe(200);
  await startOpenIdProvider({ port: early.port, keys, resources }, onTestFinished);
  await until(async () => (await ask(waiting, token)).status === 200, "the token is believed");
});

test("tokens of known keys are accepted after the provider has died", async () => {
  const first = await startOpenIdProvider({ keys: otherKeys, resources }, onTestFinished);
  const orphaned = await start(first.jwksUrl);
  const [one, two] = [await first.token("backend", LEDGER), await first.token("backend", "urn:ledger-ec")];
  expect((await ask(orphaned, one)).status).toBe(200);
  await first.close();
  expect((await ask(orphaned, two)).status).toBe(200);
  const stranger = await provider.token("backend", LEDGER);
  expect((await ask(orphaned, stranger)).status).toBe(401);
  expect((await ask(orphaned, one)).status).toBe(200);
});

test("a key server that hangs, or sends too much, delays no tokens of other services", async () => {
  const token = await provider.token("backend", LEDGER);
  const shown = (await (await fetch(provider.jwksUrl)).json()) as { keys: readonly JWK[] };
  const [hanging, huge] = await Promise.all(
    (["hang", "huge"] as const).map(async (behaviour) => {
      const server = await startKeyServer(shown.keys, { behaviour }, atEnd);
      return { server, slowed: await start(server.url, { audience: AUDIENCE }, atEnd) };
    }),
  );
  if (hanging === undefined || huge === undefined) throw new Error("a server is missing");
  const answered: string[] = [];
  const waiting = ask(hanging.slowed, token).then(({ status }) => {
    answered.push("token");
    return status;
  });
  expect((await call(`${hanging.slowed.url}/v2/version`, { method: "GET" })).status).toBe(200);
  expect(answered).toEqual([]);
  expect((await ask(huge.slowed, token)).status).toBe(401);
  expect((await call(`${huge.slowed.url}/v2/version`, { method: "GET" })).status).toBe(200);
  huge.server.behaviour = "honest";
  await until(async () => (await ask(huge.slowed, token)).status === 200, "the token is believed");
  expect(await waiting).toBe(401);
});

test("several token services are asked in their order", async () => {
  const other = await startOpenIdProvider({ keys: otherKeys, resources }, onTestFinished);
  const both = await newParticipant(sequencers, {
    auth: [
      { kind: "jwks", jwksUrl: provider.jwksUrl, audience: "https://other.example.com" },
      { kind: "jwks", jwksUrl: other.jwksUrl, audience: AUDIENCE },
    ],
    adminUsers: ["backend"],
  });
  expect((await ask(both, await provider.token("backend", "urn:other"))).status).toBe(200);
  expect((await ask(both, await other.token("backend", LEDGER))).status).toBe(200);
  expect((await ask(both, await provider.token("backend", LEDGER))).status).toBe(401);
  expect((await ask(both, await other.token("backend", "urn:other"))).status).toBe(401);
});

describe("default rules for whom a token is meant", () => {
  const prefix = "https://daml.com/jwt/aud/participant/";
  const participantId = () => plain.participantId;
  /** Without an audience or a scope of its own. */
  let plain: TestParticipant;
  let own: Signer;
  let claims: { readonly sub: string; readonly iss: string };

  beforeAll(async () => {
    own = await newSigner("ES256");
    const { url: jwksUrl } = await startKeyServer([own.publicJwk], {}, atEnd);
    plain = await newParticipant(sequencers, {}, atEnd);
    const { identityProviderId, issuer } = await newProvider(plain, { jwksUrl });
    claims = { sub: await newUser(plain, identityProviderId, []), iss: issuer };
  });

  test.each([
    ["an audience that names this participant", () => ({ aud: prefix + participantId() }), 200],
    ["that audience among others", () => ({ aud: ["x", prefix + participantId()] }), 200],
    ["an audience that names another participant", () => ({ aud: `${prefix}other::1220ab` }), 403],
    ["audiences that name two participants", () => ({ aud: [`${prefix}a`, prefix + participantId()] }), 401],
    ["an audience that names no participant", () => ({ aud: prefix }), 401],
    ["the scope of the ledger API", () => ({ scope: "daml_ledger_api" }), 200],
    ["that scope among others", () => ({ scope: "openid daml_ledger_api email" }), 200],
    ["that scope in a list", () => ({ scp: ["daml_ledger_api"] }), 200],
    [
      "that scope, and this participant as audience",
      () => ({ scope: "daml_ledger_api", aud: participantId() }),
      200,
    ],
    ["that scope, and another as audience", () => ({ scope: "daml_ledger_api", aud: "other" }), 403],
    ["that scope, and two audiences", () => ({ scope: "daml_ledger_api", aud: ["a", participantId()] }), 401],
    ["another scope", () => ({ scope: "daml_ledger_api_v2" }), 401],
    ["neither", () => ({}), 401],
  ])("%s", async (_, address, status) => {
    expect((await ask(plain, await own.sign({ ...claims, ...address() }))).status).toBe(status);
  });
});
