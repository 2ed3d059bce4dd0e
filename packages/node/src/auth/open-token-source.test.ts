import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../../api/testing/table-server.ts";
import { until } from "../../testing/until.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { systemHost } from "../system-host.ts";
import { openTokenSource, type TokenSourceConfig } from "./open-token-source.ts";

const open = (config: TokenSourceConfig) => openTokenSource(config, { host: systemHost });

test("a self-signed token has user and audience, no end, and the secret's signature", async () => {
  const config = { kind: "self-signed", audience: "aud", user: "ledger-api-user", secret: "unsafe" } as const;
  const token = (await open(config).token()) ?? "";
  expect([decodeProtectedHeader(token).alg, decodeJwt(token)]).toEqual([
    "HS256",
    { aud: "aud", sub: "ledger-api-user" },
  ]);
  await jwtVerify(token, new TextEncoder().encode("unsafe"), { algorithms: ["HS256"] });
});

test("a static token is sent as it is, and without authentication there is none", async () => {
  expect(await open({ kind: "static", token: "abc\n" }).token()).toBe("abc");
  expect(() => open({ kind: "static", token: " " })).toThrow("the static token is empty");
  expect(await open({ kind: "none" }).token()).toBeUndefined();
});

const credentials = {
  kind: "client-credentials",
  ...{ wellKnownUrl: "http://127.0.0.1:9", clientId: "me", clientSecret: "hunter2", audience: "aud" },
} as const;

test.each([
  [
    { wellKnownUrl: "ftp://a" },
    'wellKnownUrl is the http or https address of an OpenID configuration, not "ftp://a"',
  ],
  [{ clientId: "" }, "clientId of the client credentials is empty"],
  [{ clientSecret: " " }, "clientSecret of the client credentials is empty"],
  [{ audience: "" }, "audience of the client credentials is empty"],
])("credentials with %j are refused", (change, reason) => {
  expect(() => open({ ...credentials, ...change })).toThrow(reason);
});

describe("of a provider that misbehaves", () => {
  type Handle = (request: IncomingMessage, response: ServerResponse, url: string) => void;

  async function start(handle: Handle, host = systemHost) {
    const { url, close } = await listen((request, response) => handle(request, response, url));
    onTestFinished(close);
    return openTokenSource({ ...credentials, wellKnownUrl: url }, { host });
  }

  const json = (response: ServerResponse, body: object) => void response.end(JSON.stringify(body));
  /** Discovery is right, and the token's answer is this. */
  const answering =
    (answer: (response: ServerResponse) => void): Handle =>
    (request, response, url) =>
      request.url === "/" ? json(response, { token_endpoint: `${url}/token` }) : answer(response);

  test.each<[string, Handle, RegExp]>([
    ["nonsense", (_, response) => void response.end("<html>"), /is no JSON with a token_endpoint/],
    ["a redirect", (_, response) => void response.writeHead(302, { location: "/x" }).end(), /status 302/],
    ["too much", (_, response) => void response.end("x".repeat(300_000)), /longer than 262144 bytes/],
    [
      "an odd address",
      (_, response) => json(response, { token_endpoint: "file:///x" }),
      /no http or https URL/,
    ],
    ["no token", answering((response) => json(response, {})), /answers without an access_token/],
    [
      "two lines",
      answering((response) => json(response, { access_token: "a\nb" })),
      /without an access_token/,
    ],
    [
      "another type",
      answering((response) => json(response, { access_token: "a", token_type: "DPoP" })),
      /another type than Bearer/,
    ],
    [
      "the secret in its error",
      answering((response) =>
        json(response.writeHead(400), { error: "bad", error_description: "no hunter2" }),
      ),
      /status 400 for the client "me" and the audience "aud": bad: no \*\*\*/,
    ],
    ["a lost connection", (request) => void request.socket.destroy(), /does not answer: /],
  ])("%s is an error that says so", async (_, handle, reason) => {
    const { token } = await start(handle);
    const failure = await token().catch(String);
    expect(failure).toMatch(reason);
    expect(failure).toMatch(/^TokenUnavailable: the (OpenID configuration|token endpoint) http:/);
    expect(failure).not.toContain("hunter2");
  });

  test("silence ends after ten seconds, and the provider is left alone for a while", async () => {
    const host = new VirtualHost();
    let asked = 0;
    const { token } = await start(() => asked++, host);
    const first = token().catch(String);
    await until(() => asked === 1, "the provider is asked");
    await host.advance(10_000);
    expect(await first).toMatch(/does not answer: the deadline of 10000 ms is past/);
    expect(await token().catch(String)).toBe(await first);
    expect(asked).toBe(1);
    await host.advance(500);
    const second = token().catch(String);
    await until(() => asked === 2, "the provider is asked again");
    await host.advance(10_000);
    await second;
  });

  test("a token without any end is kept until it is refused", async () => {
    const host = new VirtualHost();
    let given = 0;
    const { token, onRejected } = await start(
      answering((response) => json(response, { access_token: `opaque-${++given}` })),
      host,
    );
    expect(await token()).toBe("opaque-1");
    await host.advance(365 * 24 * 3_600_000);
    expect(await token()).toBe("opaque-1");
    onRejected("another");
    expect(await token()).toBe("opaque-1");
    onRejected("opaque-1");
    expect(await Promise.all([token(), token()])).toEqual(["opaque-2", "opaque-2"]);
  });
});
