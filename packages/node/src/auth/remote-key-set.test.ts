/** Key sets behind an address: fetched on demand, valid for a while, and robust while the address fails. */
import { expect, onTestFinished, test } from "vitest";
import { type Behaviour, newSigner, startKeyServer } from "../../testing/key-server.ts";
import { until } from "../../testing/until.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { RemoteKeySet } from "./remote-key-set.ts";
import { createSignatureVerifier, createTokenVerifier } from "./token-verifier.ts";
import { TokenRejected } from "./verified-token.ts";

const claims = { sub: "alice" };

/** A key set with its own clock, and its log lines. */
function open(url: string, given?: Host) {
  const clock = { now: 1_000_000 };
  const lines: { level: string; text: string }[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, text: `${message} ${JSON.stringify(fields)}` });
  };
  const log: Log = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: () => log,
  };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const host = given ?? {
    ...systemHost,
    clock: { ...systemHost.clock, elapsedMilliseconds: () => clock.now },
  };
  const keys = new RemoteKeySet(url, { log, host, stopping: stop.signal });
  const verify = createSignatureVerifier(keys, { host: systemHost });
  return { verify, keys, clock, lines };
}

async function refused(promise: Promise<unknown>): Promise<void> {
  await expect(promise).rejects.toBeInstanceOf(TokenRejected);
}

test.each(["RS256", "ES256", "ES512"] as const)("a token signed with %s is valid", async (alg) => {
  const signer = await newSigner(alg);
  const { url } = await startKeyServer([signer.publicJwk]);
  expect(await open(url).verify(await signer.sign(claims))).toMatchObject({ subject: "alice" });
});

test("the first token fetches the keys, and later tokens reuse them", async () => {
  const signer = await newSigner();
  const server = await startKeyServer([signer.publicJwk]);
  const { verify } = open(server.url);
  expect(server.asked()).toBe(0);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => signer.sign({ sub: `user-${i}` })));
  await Promise.all(tokens.map((token) => verify(token)));
  expect(server.asked()).toBe(1);
});

test("a new key is found at once, also right after the keys were fetched", async () => {
  const [old, fresh] = [await newSigner(), await newSigner()];
  const server = await startKeyServer([old.publicJwk]);
  const { verify } = open(server.url);
  await verify(await old.sign(claims));
  server.keys = [old.publicJwk, fresh.publicJwk];
  expect(await verify(await fresh.sign(claims))).toMatchObject({ subject: "alice" });
  expect(server.asked()).toBe(2);
});

test("a withdrawn key is refused once the keys are fetched again", async () => {
  const [old, fresh] = [await newSigner(), await newSigner()];
  const server = await startKeyServer([old.publicJwk]);
  const { verify, clock } = open(server.url);
  const token = await old.sign(claims);
  await verify(token);
  server.keys = [fresh.publicJwk];
  await verify(token);
  expect(server.asked()).toBe(1);
  clock.now += 31_000;
  // The known key answers while a background fetch runs.
  await verify(token);
  await until(() => server.asked() === 2, "the keys were asked for");
  await until(
    () =>
      verify(token).then(
        () => false,
        () => true,
      ),
    "the old key is refused",
  );
  await refused(verify(token));
});

test("tokens of made-up keys cause few fetches", async () => {
  const signer = await newSigner();
  const server = await startKeyServer([signer.publicJwk]);
  const { verify, clock } = open(server.url);
  await verify(await signer.sign(claims));
  for (let i = 0; i < 50; i += 1) await refused(verify(await signer.sign(claims, { kid: `made-up-${i}` })));
  expect(server.asked()).toBe(6);
  clock.now += 10_000;
  for (let i = 0; i < 50; i += 1) await refused(verify(await signer.sign(claims, { kid: `more-${i}` })));
  expect(server.asked()).toBe(7);
  expect(await verify(await signer.sign({ sub: "bob" }))).toMatchObject({ subject: "bob" });
});

test("known keys stay valid for five minutes while the address is dead", async () => {
  const signer = await newSigner();
  const server = await startKeyServer([signer.publicJwk]);
  const { verify, clock } = open(server.url);
  await verify(await signer.sign(claims));
  await server.close();
  clock.now += 299_000;
  expect(await verify(await signer.sign({ sub: "bob" }))).toMatchObject({ subject: "bob" });
  await refused(verify(await signer.sign(claims, { kid: "unknown" })));
  clock.now += 2000;
  await refused(verify(await signer.sign({ sub: "carol" })));
});

test("an address that answers only later needs no restart, and the log names the failure once a minute", async () => {
  const signer = await newSigner();
  const first = await startKeyServer([signer.publicJwk]);
  await first.close();
  const { verify, clock, lines } = open(first.url);
  const token = await signer.sign(claims);
  for (let i = 0; i < 5; i += 1) {
    await refused(verify(token));
    clock.now += 2000;
  }
  const warnings = () => lines.filter(({ level }) => level === "warn");
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]?.text).toContain("ECONNREFUSED");
  clock.now += 60_000;
  await refused(verify(token));
  expect(warnings()).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain(token.slice(0, 20));
  await startKeyServer([signer.publicJwk], { port: first.port });
  clock.now += 2000;
  expect(await verify(token)).toMatchObject({ subject: "alice" });
});

test("an address that failed is not asked again for two seconds", async () => {
  const signer = await newSigner();
  const server = await startKeyServer([signer.publicJwk], { behaviour: "error" });
  const { verify, clock } = open(server.url);
  for (let i = 0; i < 20; i += 1) await refused(verify(await signer.sign(claims)));
  expect(server.asked()).toBe(1);
  clock.now += 2000;
  await refused(verify(await signer.sign(claims)));
  expect(server.asked()).toBe(2);
});

const misbehaviours: readonly Behaviour[] = [
  "error",
  "huge",
  "huge in pieces",
  "huge, packed",
  "nonsense",
  "redirect",
  "hang up",
];
test.each(misbehaviours)(
  "an address that answers with %s gives no key until it is honest",
  async (behaviour) => {
    const signer = await newSigner();
    const server = await startKeyServer([signer.publicJwk], { behaviour });
    const { verify, clock } = open(server.url);
    const token = await signer.sign(claims);
    await refused(verify(token));
    server.behaviour = "honest";
    clock.now += 2000;
    expect(await verify(token)).toMatchObject({ subject: "alice" });
  },
);

test.each(["hang", "slow body"] as const)(
  "an address that does not finish (%s) delays callers for three seconds at most",
  async (behaviour) => {
    const signer = await newSigner();
    const server = await startKeyServer([signer.publicJwk], { behaviour });
    const host = new VirtualHost();
    const { verify } = open(server.url, host);
    const tokens = await Promise.all(
      Array.from({ length: 250 }, (_, i) => signer.sign({ sub: `user-${i}` })),
    );
    let answers = 0;
    const ended = Promise.all(
      tokens.map(async (token) => {
        await refused(verify(token));
        answers++;
      }),
    );
    // So many wait together, and no more.
    await until(() => server.asked() === 1 && answers === 50, "all but two hundred are refused");
    await host.advance(3000);
    await ended;
    // A token that comes after the deadline is refused without a wait.
    await refused(verify(await signer.sign(claims)));
    expect(server.asked()).toBe(1);
  },
);

test("keys that cannot check a token are left out", async () => {
  const signer = await newSigner("RS256");
  const { publicJwk } = signer;
  const unfit = [
    { ...publicJwk, use: "enc" },
    { ...publicJwk, key_ops: ["encrypt"] },
    { ...publicJwk, alg: "RS512" },
    { ...publicJwk, kty: "oct", k: "c2VjcmV0" },
    { ...publicJwk, kid: undefined },
    null,
    "key",
  ];
  const server = await startKeyServer(unfit as never);
  const { verify } = open(server.url);
  await refused(verify(await signer.sign(claims)));
  server.keys = [...(unfit as never[]), { ...publicJwk, alg: "RS256", key_ops: ["verify"] }];
  expect(await verify(await signer.sign(claims))).toMatchObject({ subject: "alice" });
});

test("of two keys with one id the first counts", async () => {
  const [first, second] = [await newSigner("ES256", "same"), await newSigner("ES256", "same")];
  const { verify } = open((await startKeyServer([first.publicJwk, second.publicJwk])).url);
  expect(await verify(await first.sign(claims))).toMatchObject({ subject: "alice" });
  await refused(verify(await second.sign(claims)));
});

test("a set of more than 1,000 keys is refused", async () => {
  const signer = await newSigner();
  const many = Array.from({ length: 1001 }, (_, i) => ({ ...signer.publicJwk, kid: `key-${i}` }));
  const server = await startKeyServer(many);
  await refused(open(server.url).verify(await signer.sign(claims, { kid: "key-1" })));
  server.keys = many.slice(1);
  expect(await open(server.url).verify(await signer.sign(claims, { kid: "key-1" }))).toMatchObject({
    subject: "alice",
  });
});

test("a key set that does not answer within its configured time has failed", async () => {
  const signer = await newSigner();
  const server = await startKeyServer([signer.publicJwk], { behaviour: "hang" });
  const reasons: unknown[] = [];
  const write = () => undefined;
  const log: Log = {
    ...{ debug: write, info: write, error: write, child: () => log },
    warn: (fields) => reasons.push(fields),
  };
  const config = { kind: "jwks", jwksUrl: server.url, audience: "a", readTimeoutMilliseconds: 20 } as const;
  const verify = createTokenVerifier(config, { host: systemHost, log });
  await refused(verify(await signer.sign(claims)));
  await until(() => reasons.length > 0, "the failure is logged");
  expect(reasons).toEqual([{ reason: "Headers Timeout Error" }]);
});
