import { expect, onTestFinished, test } from "vitest";
import { mountSample } from "../../testing/sample-api.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { WebsocketReader } from "../../testing/websocket-reader.ts";
import { silentLog } from "../observability/log.ts";
import { serveWebsockets } from "../websockets/websockets.ts";
import { callerAddressOf } from "./caller-address.ts";
import { CallerBuckets } from "./caller-rates.ts";
import { startHttpServer } from "./http-server.ts";
import type { CallRates } from "./listening.ts";

async function serve(dialect: "ledger" | "splice", callRates: CallRates) {
  const host = new VirtualHost();
  const server = await startHttpServer({
    ...{
      host: "127.0.0.1",
      port: 0,
      callRates,
      mounts: [mountSample(dialect)],
      log: silentLog,
      system: host,
    },
    upgrades: serveWebsockets(),
  });
  onTestFinished(() => server.close());
  const greet = (user = "alice") =>
    fetch(`${server.url}/v2/greet`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${user}`,
        "content-type": "application/json",
        origin: "http://localhost",
      },
      body: "{}",
    });
  return { host, url: server.url, greet };
}

test("an address that calls too often is told when to come back, in the API's own shape", async () => {
  const { host, url, greet } = await serve("splice", { perAddress: { perSecond: 0.25, burst: 2 } });
  expect([(await greet()).status, (await greet("bob")).status]).toEqual([200, 200]);
  const refused = await greet();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("4");
  expect(refused.headers.get("access-control-expose-headers")).toContain("retry-after");
  expect(await refused.text()).toBe("Too Many Requests: Server is busy, please try again later.");
  // Other paths of the port count as well, health does not.
  expect((await fetch(`${url}/docs`)).status).toBe(429);
  expect((await fetch(`${url}/nowhere`)).status).toBe(429);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await host.advance(3000);
  expect((await greet()).headers.get("retry-after")).toBe("1");
  await host.advance(1000);
  expect([(await greet()).status, (await greet()).status]).toEqual([200, 429]);
});

test("a user is limited by itself; a ledger API answers its error body with 429", async () => {
  const { host, greet } = await serve("ledger", { perUser: { perSecond: 1, burst: 1 } });
  expect([(await greet()).status, (await greet("bob")).status]).toEqual([200, 200]);
  const refused = await greet();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ code: "PARTICIPANT_BACKPRESSURE" });
  // Without a valid token nobody uses up a user's calls.
  for (let i = 0; i < 5; i++) expect((await greet("nobody")).status).toBe(401);
  await host.advance(1000);
  expect((await greet()).status).toBe(200);
});

test("a websocket counts once, at its opening", async () => {
  const { host, url } = await serve("ledger", {
    perAddress: { perSecond: 1, burst: 3 },
    perUser: { perSecond: 1, burst: 1 },
  });
  const open = (user: string) =>
    new WebsocketReader(`${url}/v2/greet`, { headers: { authorization: `Bearer ${user}` }, request: {} });
  expect(await open("alice").rest()).toEqual([{ user: "alice" }]);
  expect(await open("alice").refused()).toMatchObject({
    status: 429,
    json: { code: "PARTICIPANT_BACKPRESSURE" },
  });
  expect(await open("bob").rest()).toEqual([{ user: "bob" }]);
  // The address has no call left for anybody.
  expect(await open("carol").refused()).toMatchObject({ status: 429 });
  await host.advance(1000);
  expect(await open("carol").rest()).toEqual([{ user: "carol" }]);
});

test("callers beyond the number that is remembered share one bucket, and none gets a new one by it", async () => {
  const host = new VirtualHost();
  const buckets = new CallerBuckets({ perSecond: 1, burst: 2 }, host.clock, 10);
  const take = (caller: string) => buckets.count(caller) === null;
  expect([take("first"), take("first"), take("first")]).toEqual([true, true, false]);
  const others = Array.from({ length: 1000 }, (_, i) => take(`other ${i}`));
  expect(others.filter((may) => may)).toHaveLength(9 + 2);
  expect(take("first")).toBe(false);
  expect(buckets.size).toBe(10);
  // A call a second keeps it remembered, at the rate of one a second.
  for (let second = 0; second < 10; second++) {
    await host.advance(1000);
    expect([take("first"), take("first")]).toEqual([true, false]);
  }
  expect(buckets.size).toBe(1);
  expect([take("newcomer"), take("newcomer"), take("newcomer")]).toEqual([true, true, false]);
});

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("the address %s counts as %s", (remoteAddress, counted) => {
  expect(callerAddressOf({ remoteAddress })).toBe(counted);
});

test("a rate of nothing is refused", () => {
  const { clock } = new VirtualHost();
  expect(() => new CallerBuckets({ perSecond: 0, burst: 1 }, clock)).toThrow(/perSecond above 0/);
  expect(() => new CallerBuckets({ perSecond: 1, burst: Number.NaN }, clock)).toThrow(/at least 1/);
});
