import { WAIT_FOR_HEADER } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { findReadyNames } from "../../packages/scan/src/routes/ready-names.ts";
import { Random } from "../support/random.ts";
import { byName, byParty, changeNames, lookupTargets } from "./changing-names.ts";
import { askTogether, comparable, expectLive, type RawAnswer } from "./raw-answers.ts";
import { entryOf, ServedWorld } from "./served-world.ts";

const STEPS = 12;

/**
 * The same request three times: as most callers send it, with a header by which it is left to the general path, and again on
 * the connection that `node:http` reads since then.
 */
async function compare(world: ServedWorld, target: string, header: string): Promise<RawAnswer> {
  const plain = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${header}`;
  const heads = [plain, `${plain}content-type: text/plain\r\n`, plain];
  const [direct, general, fast] = await askTogether(world.port, heads);
  if (direct === undefined || general === undefined || fast === undefined)
    throw new Error(`${target} was not answered three times`);
  expect({ target, ...comparable(direct) }).toEqual({ target, ...comparable(general) });
  expect({ target, ...comparable(fast) }).toEqual({ target, ...comparable(general) });
  return direct;
}

/** Headers of requests that nodes send each other. The first time has been reached, and the last is no time. */
const HEADERS = [
  "",
  `traceparent: 00-${"ab".repeat(16)}-${"cd".repeat(8)}-01\r\n`,
  `${WAIT_FOR_HEADER}: 2000-01-01T00:00:00Z\r\n`,
  `${WAIT_FOR_HEADER}: tomorrow\r\n`,
];

describe("an answer of the fast lane", () => {
  test.each([3])("equals that of the general path while names change, from seed %i", async (seed) => {
    const world = await ServedWorld.start({ cachedNames: 4 });
    const random = new Random(seed);
    const wallets = ["alice", "bob"].map((name) => world.wallet(name));
    const parties = [...wallets.map(({ party }) => party), world.network.dso];
    const targets = lookupTargets(parties);
    let found = 0;
    for (let step = 0; step < STEPS; step++) {
      changeNames(world, wallets, random);
      // Answers are compared while the node reads the log, not only before and after.
      const reading = world.scan();
      const answers = await Promise.all(
        random.shuffle([...targets]).map((target) => compare(world, target, random.pick(HEADERS))),
      );
      await reading;
      for (const answer of answers) {
        expectLive(answer);
        if (answer.status === 200) found++;
      }
    }
    expect(found).toBeGreaterThan(5 * STEPS);
  });

  test("promises caches no more time than is left, by the clock too when the log is quiet", async () => {
    let wallMilliseconds = 0;
    const clock = { ...systemHost.clock, wallMilliseconds: () => wallMilliseconds };
    // Before version 4 a new member may send as much as others.
    const terms = { movableClock: false, protocolVersion: 3n };
    const world = await ServedWorld.start({ clock, terms });
    world.buy(world.wallet("alice"), { name: "alice.unverified.cns" });
    await world.scan();
    const path = byName("alice.unverified.cns");
    const expiry = Date.parse(String(entryOf((await world.getJson(path)).body)["expires_at"]));
    for (const [left, seconds] of [
      [3_600_000, 60],
      [30_500, 30],
      [-1, 0],
    ] as const) {
      wallMilliseconds = expiry - left;
      // The second request is left to the general path.
      for (const headers of [{}, { "content-type": "text/plain" }]) {
        const answer = await world.get(path, { headers });
        expect(answer.headers.get("cache-control")).toBe(`public, max-age=${seconds}`);
      }
    }
  });

  test("is taken for hits, misses and lists, and for nothing that might be refused", async () => {
    const world = await ServedWorld.start();
    const alice = world.wallet("alice");
    world.buy(alice, { name: "alice.unverified.cns" });
    const { index } = await world.scan();
    const statusOf = (target: string) => findReadyNames(target, index, systemHost.clock)?.status ?? null;
    expect(statusOf(byName("alice.unverified.cns"))).toBe(200);
    expect(statusOf(`/api/scan${byName("alice.unverified.cns")}`)).toBe(200);
    expect(statusOf(byName("nobody.unverified.cns"))).toBe(404);
    for (const colons of ["%3A%3A", "%3a%3a", "::", "%3A:"])
      expect([colons, statusOf(byParty(alice.party.replace("::", colons)))]).toEqual([colons, 200]);
    expect(statusOf(byParty(encodeURIComponent(alice.party).replace("a", "%61")))).toBe(200);
    expect(statusOf("/v0/ans-entries?name_prefix=al&page_size=20")).toBe(200);
    for (const target of [
      byName("%E9"),
      byName("a/b"),
      byName("a".repeat(3000)),
      byParty("nobody"),
      "/v0/ans-entries?page_size=0",
      "/v0/ans-entries?name_prefix=al&page_size=0",
      "/v0/dso",
      "/elsewhere/v0/ans-entries/by-name/alice.unverified.cns",
    ])
      expect([target, statusOf(target)]).toEqual([target, null]);
  });
});
