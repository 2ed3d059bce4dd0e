/** Tokens: algorithm, key and audience come from configuration, never from the token. */

import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { systemHost } from "../system-host.ts";
import { readBearerToken } from "./bearer-token.ts";
import { createTokenVerifier } from "./token-verifier.ts";
import { TokenRejected } from "./verified-token.ts";

const secret = "a secret of the local network";
const audience = "https://ledger_api.example.com";
const verify = createTokenVerifier({ kind: "hs256", secret, audience }, { host: systemHost });
const now = () => Math.floor(Date.now() / 1000);

function sign(claims: Record<string, unknown>, { key = secret, alg = "HS256" } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
}

describe("a token holds", () => {
  test.each([
    ["without an end", { sub: "alice", aud: audience }],
    ["with one audience of several", { sub: "alice", aud: ["other", audience] }],
    ["until its end", { sub: "alice", aud: audience, exp: Math.floor(Date.now() / 1000) + 3600 }],
    ["whoever issued it", { sub: "alice", aud: audience, iss: "anybody", scope: "daml_ledger_api" }],
  ])("%s", async (_, claims) => {
    const token = await sign(claims);
    expect(await verify(token)).toMatchObject({ subject: "alice" });
    expect(await verify(token)).toMatchObject({ subject: "alice" });
  });

  test("with the claim object that the validator prefers", async () => {
    const claims = { sub: "auth0|1", aud: audience, "https://canton-network": { daml_user: "alice" } };
    expect(await verify(await sign(claims))).toMatchObject({ subject: "auth0|1", damlUser: "alice" });
  });
});

describe("a token does not hold", () => {
  const cases: readonly [string, () => Promise<string> | string][] = [
    ["with another audience", () => sign({ sub: "alice", aud: "other" })],
    ["without an audience", () => sign({ sub: "alice" })],
    ["after its end", () => sign({ sub: "alice", aud: audience, exp: now() - 1 })],
    ["before its beginning", () => sign({ sub: "alice", aud: audience, nbf: now() + 60 })],
    ["from the future", () => sign({ sub: "alice", aud: audience, iat: now() + 60 })],
    ["of another key", () => sign({ sub: "alice", aud: audience }, { key: "another secret" })],
    ["of another algorithm", () => sign({ sub: "alice", aud: audience }, { alg: "HS512" })],
    ["that is not signed", () => new UnsecuredJWT({ sub: "alice", aud: audience }).encode()],
    ["that is none", () => "nonsense"],
    ["that is too long", () => "x".repeat(20_000)],
  ];
  test.each(cases)("%s", async (_, make) => {
    await expect(verify(await make())).rejects.toBeInstanceOf(TokenRejected);
  });

  test("a second time either, once its end has passed", async () => {
    const token = await sign({ sub: "alice", aud: audience, exp: now() + 60 });
    await verify(token);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 62_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await expect(verify(token)).rejects.toBeInstanceOf(TokenRejected);
  });
});

test.each([
  [undefined, { kind: "none" }],
  ["Basic YQ==", { kind: "none" }],
  ["Bearer abc", { kind: "token", token: "abc" }],
  ["bearer abc", { kind: "token", token: "abc" }],
  ["Bearer", { kind: "malformed" }],
  ["Bearer ", { kind: "malformed" }],
  ["Bearer a b", { kind: "malformed" }],
])("the header %j reads as %j", (header, read) => {
  expect(readBearerToken(header)).toEqual(read);
});

describe("a cached token", () => {
  test("is found once it was verified, until its end, and not with another audience", async () => {
    const host = new VirtualHost();
    const start = host.clock.wallMilliseconds();
    const open = (given: string) => createTokenVerifier({ kind: "hs256", secret, audience: given }, { host });
    const [here, elsewhere] = [open(audience), open("other")];
    const token = await sign({ sub: "alice", aud: audience, exp: Math.floor(start / 1000) + 5 });
    expect(here.findCached(token)).toBeUndefined();
    await here(token);
    await expect(elsewhere(token)).rejects.toThrow(TokenRejected);
    expect(here.findCached(token)).toMatchObject({ subject: "alice" });
    expect(elsewhere.findCached(token)).toBeUndefined();
    await host.advance(4000);
    expect(here.findCached(token)).toBeDefined();
    await host.advance(2000);
    expect(here.findCached(token)).toBeUndefined();
  });

  test("is found by any of several services that accepted it", async () => {
    const both = createTokenVerifier(
      [
        { kind: "hs256", secret: "first", audience },
        { kind: "hs256", secret, audience },
      ],
      { host: systemHost },
    );
    const [token, stranger] = [
      await sign({ sub: "alice", aud: audience }),
      await sign({ sub: "alice", aud: audience }, { key: "third" }),
    ];
    await both(token);
    await expect(both(stranger)).rejects.toThrow(TokenRejected);
    expect(both.findCached(token)).toMatchObject({ subject: "alice" });
    expect(both.findCached(stranger)).toBeUndefined();
  });
});
