// Logging in on a local network: a real provider, a page with the node's users, and tokens that every part accepts.

import { timeFromMicros } from "@callsign/ledger";
import { systemHost } from "@callsign/node";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { WebLogin } from "../../packages/api/src/index.ts";
import { NODE_NAMES, type NodeName } from "../../packages/localnet/src/ports.ts";
import type { Localnet } from "../../packages/localnet/src/start-localnet.ts";
import { startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { signToken } from "../support/sign-token.ts";
import { askPage } from "./built-application.ts";
import {
  askTokens,
  authorizationUrl,
  choose,
  logIn,
  newAttempt,
  openLogin,
  redeem,
  type Tokens,
} from "./log-in.ts";

let network: Localnet;
let other: Localnet;
/** Of the clock by which the first network checks tokens; its ledger has another. */
let aheadMilliseconds = 0;
beforeAll(async () => {
  const clock = () => timeFromMicros(BigInt(systemHost.clock.wallMilliseconds()) * 1000n);
  const wallMilliseconds = () => systemHost.clock.wallMilliseconds() + aheadMilliseconds;
  const host = { ...systemHost, clock: { ...systemHost.clock, wallMilliseconds } };
  [network, other] = [await startLocalnet({ clock }, host), await startLocalnet()];
});
afterAll(async () => {
  await network?.close();
  await other?.close();
});

function originOf(node: NodeName, name: string, of = network): string {
  return `http://${name}:${new URL(of.nodes[node].gatewayUrl).port}`;
}

async function loginOf(node: NodeName, name: string, of = network): Promise<WebLogin> {
  const { host } = new URL(originOf(node, name, of));
  const { text } = await askPage(of.nodes[node].gatewayUrl, { path: "/config.json", headers: { host } });
  return (JSON.parse(text) as { readonly login: WebLogin }).login;
}

/** Logs in as the owner of the node's wallet. */
async function tokensOf(
  node: NodeName,
  name = "wallet.localhost",
  user: string = network.nodes[node].walletUser,
) {
  return logIn(await loginOf(node, name), `${originOf(node, name)}/`, user);
}

function statusOf(url: string, token: string): Promise<number> {
  return fetch(url, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
}

test("each UI of each node has a client of its own, and foreign names have none", async () => {
  const names = [
    "wallet.localhost",
    "ans.localhost",
    "scan.localhost",
    "sv.localhost",
    "localhost",
    "127.0.0.1",
  ];
  const logins = await Promise.all(NODE_NAMES.flatMap((node) => names.map((name) => loginOf(node, name))));
  expect(new Set(logins.map(({ clientId }) => clientId)).size).toBe(18);
  for (const login of logins) {
    expect(login).toMatchObject({ authority: network.loginUrl, audience: "https://canton.network.global" });
    expect(login.scope).toBe("openid offline_access");
  }
  const { text } = await askPage(network.nodes.sv.gatewayUrl, {
    path: "/config.json",
    headers: { host: "[::1]:1" },
  });
  expect(JSON.parse(text)).toMatchObject({ login: null });
});

test("a click logs in, and the token opens wallet, ledger and SV app as that user", async () => {
  for (const node of NODE_NAMES) {
    const { access_token: token, expires_in } = await tokensOf(node);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "RS256" });
    const { walletUser, ledgerUrl, validatorUrl } = network.nodes[node];
    const claims = { sub: walletUser, iss: network.loginUrl, aud: "https://canton.network.global" };
    expect(decodeJwt(token)).toMatchObject(claims);
    expect(expires_in).toBe(600);
    const status = await fetch(`${validatorUrl}/api/validator/v0/wallet/user-status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await status.json()).toMatchObject({ user_onboarded: true });
    expect(await statusOf(`${ledgerUrl}/v2/authenticated-user`, token)).toBe(200);
    expect(await statusOf(`${network.svs[0]?.appUrl}/api/sv/v0/admin/authorization`, token)).toBe(
      walletUser === "sv" ? 200 : 403,
    );
  }
});

test("the page lists the users of the node alone, with a button each, without scripts and in no frame", async () => {
  const node = network.nodes["app-provider"];
  await fetch(`${node.ledgerUrl}/v2/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${network.serviceToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      user: { id: "a'b|<i>", isDeactivated: false, identityProviderId: "", primaryParty: "" },
    }),
  });
  const origin = originOf("app-provider", "localhost");
  const attempt = newAttempt(await loginOf("app-provider", "localhost"), `${origin}/`);
  const page = await openLogin(attempt);
  expect([...page.choices.keys()]).toEqual(expect.arrayContaining(["app-provider", "ledger-api-user"]));
  expect(page.choices.has("app-user")).toBe(false);
  expect(page.text).not.toMatch(/<script|<i>|style=/);
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'self'; form-action 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'`,
  );
  const style = await fetch(`${network.loginUrl}/login.css`);
  expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
});

test("the code comes back with the state to the page that asked, works once, and only with its verifier", async () => {
  const redirect = `${originOf("app-user", "ans.localhost")}/`;
  const attempt = newAttempt(await loginOf("app-user", "ans.localhost"), redirect);
  const back = await choose(attempt, await openLogin(attempt), "app-user");
  expect([back.origin + back.pathname, back.searchParams.get("state")]).toEqual([redirect, "way-back"]);
  const code = back.searchParams.get("code") ?? "";
  const stolen = await redeem({ ...attempt, verifier: "x".repeat(43) }, code);
  expect([stolen.status, await stolen.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  const again = newAttempt(attempt.login, redirect);
  const second = await choose(again, await openLogin(again), "app-user");
  const fresh = second.searchParams.get("code") ?? "";
  expect((await redeem(again, fresh)).status).toBe(200);
  expect((await redeem(again, fresh)).status).toBe(400);
});

test("a page that is loaded again logs in without a question, and a page of another node asks", async () => {
  const attempt = newAttempt(await loginOf("app-user", "localhost"), `${originOf("app-user", "localhost")}/`);
  const quietly = async (again: typeof attempt) => {
    const answer = await attempt.browser.ask(authorizationUrl(again, { prompt: "none" }));
    return new URL(answer.headers.get("location") ?? "").searchParams;
  };
  expect((await quietly(attempt)).get("error")).toBe("login_required");
  await choose(attempt, await openLogin(attempt), "app-user");
  const again = newAttempt(attempt.login, attempt.redirect);
  const tokens = (await (await redeem(again, (await quietly(again)).get("code") ?? "")).json()) as Tokens;
  expect([decodeJwt(tokens.access_token).sub, decodeJwt(tokens.id_token).sub]).toEqual([
    "app-user",
    "app-user",
  ]);
  const elsewhere = newAttempt(await loginOf("sv", "localhost"), `${originOf("sv", "localhost")}/`);
  expect((await quietly(elsewhere)).get("error")).toBe("login_required");
});

test("other redirect addresses, and requests without PKCE, get nothing", async () => {
  const login = await loginOf("app-user", "wallet.localhost");
  const redirect = `${originOf("app-user", "wallet.localhost")}/`;
  const refused = [
    ...["https://evil.example.com/", `${redirect}elsewhere`, redirect.slice(0, -1), `${redirect}?x=1`],
    ...[`${originOf("app-provider", "wallet.localhost")}/`, `${originOf("app-user", "ans.localhost")}/`],
    `${originOf("app-user", "wallet.localhost", other)}/`,
  ];
  for (const address of refused) {
    const answer = await fetch(authorizationUrl(newAttempt(login, address)), { redirect: "manual" });
    const text = await answer.text();
    expect([address, answer.status, answer.headers.get("location")]).toEqual([address, 400, null]);
    expect(text).toContain("You are not logged in");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
  const without = newAttempt(login, redirect);
  const plain = authorizationUrl(without, { code_challenge_method: "plain" });
  for (const url of [plain, authorizationUrl(without).replaceAll(/&code_challenge(_method)?=[^&]*/g, "")]) {
    const answer = await fetch(url, { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    expect([back.origin, back.searchParams.get("error")]).toEqual([
      new URL(redirect).origin,
      "invalid_request",
    ]);
  }
});

test("a refresh token gives new tokens once, and its use a second time ends them all", async () => {
  const login = await loginOf("app-user", "wallet.localhost");
  const { refresh_token } = await tokensOf("app-user");
  const refresh = (token: string) => askTokens(login, { grant_type: "refresh_token", refresh_token: token });
  const renewed = (await (await refresh(refresh_token)).json()) as Tokens;
  expect(decodeJwt(renewed.access_token)).toMatchObject({
    sub: "app-user",
    aud: "https://canton.network.global",
  });
  expect(renewed.refresh_token).not.toBe(refresh_token);
  expect((await refresh(refresh_token)).status).toBe(400);
  expect((await refresh(renewed.refresh_token)).status).toBe(400);
});

test("only the client's own pages may read what the provider answers", async () => {
  const login = await loginOf("app-user", "wallet.localhost");
  const form = { grant_type: "refresh_token", refresh_token: "x" };
  const own = await askTokens(login, form, originOf("app-user", "wallet.localhost"));
  expect(own.headers.get("access-control-allow-origin")).toBe(originOf("app-user", "wallet.localhost"));
  const foreign = await askTokens(login, form, "https://evil.example.com");
  expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
});

test("a login that another browser began, a user whom the node does not have, and a foreign host are refused", async () => {
  const attempt = newAttempt(await loginOf("app-user", "localhost"), `${originOf("app-user", "localhost")}/`);
  const page = await openLogin(attempt);
  const strange = await fetch(page.url);
  expect([strange.status, await strange.text()]).toEqual([
    400,
    expect.stringContaining("another browser began it"),
  ]);
  const chosen = page.choices.get("app-user") ?? "";
  expect((await fetch(chosen, { method: "POST", redirect: "manual" })).status).toBe(400);
  const nobody = await attempt.browser.ask(chosen.replace(/app-user$/, "nobody"), { method: "POST" });
  expect([nobody.status, await nobody.text()]).toEqual([400, expect.stringContaining("has no user nobody")]);
  const rebound = await askPage(network.loginUrl, { path: "/jwks", headers: { host: "evil.example.com" } });
  expect(rebound.status).toBe(403);
});

test("tokens that have expired, are for another audience or another network's are refused", async () => {
  const { validatorUrl, ledgerUrl } = network.nodes["app-user"];
  const places = [`${validatorUrl}/api/validator/v0/wallet/balance`, `${ledgerUrl}/v2/authenticated-user`];
  const { access_token: good } = await tokensOf("app-user");
  const login = await loginOf("app-user", "wallet.localhost", other);
  const redirect = `${originOf("app-user", "wallet.localhost", other)}/`;
  const { access_token: others } = await logIn(login, redirect, "app-user");
  const bad = [others, `${good.slice(0, -8)}AAAAAAAA`, signToken({ sub: "app-user", aud: "x" })];
  for (const place of places) {
    expect([place, await statusOf(place, good)]).toEqual([place, 200]);
    for (const token of bad) expect([place, await statusOf(place, token)]).toEqual([place, 401]);
  }
  onTestFinished(() => {
    aheadMilliseconds = 0;
  });
  for (const [seconds, status] of [
    [500, 200],
    [700, 401],
  ] as const) {
    aheadMilliseconds = seconds * 1000;
    for (const place of places)
      expect([place, seconds, await statusOf(place, good)]).toEqual([place, seconds, status]);
  }
});
