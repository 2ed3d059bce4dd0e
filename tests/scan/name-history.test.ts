// The past of names under /ext/v1: the changes of each name, and numbers by day.

import { describe, expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, formatTime, MIN_TIME } from "../../packages/ledger/src/values/time.ts";
import { ServedWorld } from "./served-world.ts";

const NAME = "alice.unverified.cns";
const REQUEST = { name: NAME, url: "", description: "" };
const PRICE = { usd: "1.0000000000", amulet: "200.0000000000" };
const NOTHING = { usd: null, amulet: null };

interface Shown {
  readonly changes: readonly Record<string, unknown>[];
  readonly next: string | null;
  readonly complete_from: string | null;
}

interface Days {
  readonly days: readonly Record<string, unknown>[];
  readonly complete_from: string | null;
}

async function history(world: ServedWorld, search = "", name = NAME): Promise<Shown> {
  const { status, body } = await world.getJson(`/ext/v1/names/${name}/history${search}`);
  expect(status).toBe(200);
  return body as Shown;
}

/** Bought by alice, renewed, expired, and bought by bob; carol pays for it in vain. */
async function livedThrough() {
  const world = await ServedWorld.start();
  const { network } = world;
  const [alice, bob, carol] = [world.wallet("alice"), world.wallet("bob"), world.wallet("carol")];
  const times: string[] = [];
  const expiries: string[] = [];
  const mark = () => {
    const [created] = network.active(AnsEntry, network.dso).filter(({ payload }) => payload.name === NAME);
    expiries.push(created === undefined ? "" : formatTime(created.payload.expiresAt));
    times.push(formatTime(network.now));
  };
  world.buy(alice, REQUEST);
  mark();
  world.buy(carol, REQUEST);
  network.advance(85n * DAY);
  world.renew(alice);
  mark();
  network.advance(100n * DAY);
  world.dso.settle();
  world.buy(bob, REQUEST);
  mark();
  await world.scan();
  return { world, alice, bob, carol, expiries };
}

describe("GET /ext/v1/names/{name}/history", () => {
  test("has owners, prices, expiries and refunds, the earliest first", async () => {
    const { world, alice, bob, carol, expiries } = await livedThrough();
    const { changes, next, complete_from } = await history(world);
    expect(changes).toMatchObject([
      { kind: "registered", name: NAME, owner: alice.party, expires_at: expiries[0], ...PRICE },
      { kind: "refunded", name: NAME, owner: carol.party, expires_at: null, usd: null, amulet: PRICE.amulet },
      { kind: "renewed", name: NAME, owner: alice.party, expires_at: expiries[1], ...PRICE },
      { kind: "expired", name: NAME, owner: alice.party, expires_at: expiries[1], ...NOTHING },
      { kind: "registered", name: NAME, owner: bob.party, expires_at: expiries[2], ...PRICE },
    ]);
    expect(next).toBe(null);
    const times = changes.map(({ record_time }) => String(record_time));
    expect(times).toEqual(times.toSorted());
    expect(complete_from).toBe(formatTime(world.network.log[0]?.stampedAt ?? MIN_TIME));
  });

  test("is read page after page by offsets", async () => {
    const { world } = await livedThrough();
    const whole = await history(world);
    const pages: Shown[] = [];
    for (let after: string | null = "0"; after !== null; after = pages.at(-1)?.next ?? null)
      pages.push(await history(world, `?page_size=2&after=${after}`));
    expect(pages.map(({ changes }) => changes.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ changes }) => changes)).toEqual(whole.changes);
  });

  test("is empty for a name that nobody ever had", async () => {
    const world = await ServedWorld.start();
    expect(await history(world, "", "nobody.unverified.cns")).toMatchObject({ changes: [], next: null });
  });
});

describe("GET /ext/v1/statistics/names", () => {
  const ask = async (world: ServedWorld, search = "") => {
    const { status, body } = await world.getJson(`/ext/v1/statistics/names${search}`);
    return { status, body: body as Days & { readonly error?: string } };
  };
  const dayOf = (time: string) => time.slice(0, 10);

  test("counts what each day brought, and the names that are live at its end", async () => {
    const { world } = await livedThrough();
    const { changes } = await history(world);
    const days = changes.map(({ record_time }) => dayOf(String(record_time)));
    const { body } = await ask(world, `?from=${days[0]}`);
    const busy = body.days.filter(
      ({ registered, renewed, refunded, expired }) =>
        Number(registered) + Number(renewed) + Number(refunded) + Number(expired) > 0,
    );
    const none = { live: 1, registered: 0, renewed: 0, taken_up: 0, expired: 0, refunded: 0 };
    const burned = PRICE.amulet;
    expect(busy).toEqual([
      { ...none, day: days[0], registered: 1, refunded: 1, burned },
      { ...none, day: days[2], renewed: 1, burned },
      {
        ...none,
        day: dayOf(String(changes[2]?.["expires_at"])),
        live: 0,
        expired: 1,
        burned: "0.0000000000",
      },
      { ...none, day: days[4], registered: 1, burned },
    ]);
    expect(body.days.length).toBeGreaterThan(180);
    expect(body.days.map(({ day }) => day)).toEqual([...new Set(body.days.map(({ day }) => day))].sort());
  });

  test("has the last 30 days unless others are named", async () => {
    const { world } = await livedThrough();
    const { body } = await ask(world);
    expect(body.days.length).toBe(30);
    expect(body.days.at(-1)?.["day"]).toBe(dayOf(formatTime(world.node.index.now)));
    expect(body.days.at(-1)?.["live"]).toBe(1);
  });

  test.each([
    ["?from=2026-02-30", "from: 2026-02-30 is no day since 1970 such as 2026-01-31"],
    ["?from=1969-12-31", "from: 1969-12-31 is no day since 1970 such as 2026-01-31"],
    ["?to=9000-01-01", "to: 9000-01-01 is ahead of this network's day"],
    [
      "?from=2001-01-01&to=2000-01-01",
      "from: 2001-01-01 is behind the last day, 2000-01-01: name an earlier one",
    ],
    [
      "?from=2000-01-01&to=2001-02-04",
      "from: 401 days are asked for, and an answer has at most 400: ask for them in parts",
    ],
    ["?from=yesterday", "expected a day such as 2026-01-31"],
  ])("refuses %s", async (search, problem) => {
    const world = await ServedWorld.start();
    const { status, text } = await world.get(`/ext/v1/statistics/names${search}`);
    expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
  });
});

test("GET /ext/v1/statistics/lookups counts each lookup once, on the fast lane and off it", async () => {
  const world = await ServedWorld.start();
  const total = async () => {
    const { body } = await world.getJson("/ext/v1/statistics/lookups");
    return (body as { readonly counts: readonly number[] }).counts.reduce((sum, count) => sum + count, 0);
  };
  expect(await total()).toBe(0);
  await world.get("/v0/ans-entries/by-name/nobody.unverified.cns");
  await world.get("/v0/ans-entries?name_prefix=&page_size=20");
  // A page of another origin takes the general path.
  await world.get("/v0/ans-entries/by-name/nobody.unverified.cns", {
    headers: { origin: "http://localhost:1" },
  });
  await world.get("/v0/dso");
  expect(await total()).toBe(3);
});

describe("an index that is older than its history", () => {
  test("counts its live names, and says from when on changes are complete", async () => {
    const world = await ServedWorld.start();
    world.buy(world.wallet("alice"), REQUEST);
    await world.scan();
    const { database } = world.node.index.state;
    // As the migration leaves the tables.
    database.exec("delete from name_change; delete from name_history; delete from name_day");
    world.node.index.reload();
    world.network.advance(DAY);
    world.buy(world.wallet("bob"), { ...REQUEST, name: "bob.unverified.cns" });
    await world.scan();
    const { nameChanges, now } = world.node.index;
    const today = now / DAY;
    expect(nameChanges.days.list(today, today)).toMatchObject([{ live: 2n, registered: 1n }]);
    expect(nameChanges.days.list(today + 90n, today + 90n)).toMatchObject([{ live: 0n, ended: 1n }]);
    expect(nameChanges.list({ name: NAME, owner: null, after: 0n, limit: 9 })).toEqual([]);
    const from = nameChanges.findCompleteFrom();
    expect(from !== undefined && from < now && from > addDuration(now, -DAY)).toBe(true);
  });
});
