// Long pages of the history of updates, while other calls are answered and the log moves on.

import { RECORD_TIME_HEADER } from "@callsign/api";
import { formatTime } from "@callsign/ledger";
import { type Clock, systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { PAGE_TURN_MILLISECONDS } from "../../packages/scan/src/limits/limits.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { openTurns } from "../../packages/scan/src/routes/in-turns.ts";
import { openUpdatePages } from "../../packages/scan/src/routes/update-pages.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { serveMount } from "../support/serve-mount.ts";
import { ScannedWorld } from "./name-world.ts";

/** Every reading takes a millisecond, so that a turn reads as many updates as it has milliseconds. */
function slowClock(): Clock {
  let now = 0;
  return { ...systemHost.clock, elapsedMilliseconds: () => now++ };
}

const PAGES = 5;
const WHOLE = { page_size: 1000, after: null };

async function worldWith(...labels: readonly string[]): Promise<ScannedWorld> {
  const world = new ScannedWorld();
  for (const label of labels) buy(world, label);
  await world.scan();
  return world;
}

function buy(world: ScannedWorld, label: string): void {
  world.buy(world.wallet(label), { name: `${label}.unverified.cns`, url: "", description: "" });
}

/** Serves the scan; its log may move on whenever a long page ends a turn. */
async function serveMoving({ node, network }: ScannedWorld, moveOn: () => Promise<void>): Promise<string> {
  const soon = (run: () => void) => void moveOn().then(() => systemHost.timers.soon(run));
  const mount = mountScan({
    source: ownSource(node.index, node.replica),
    sv: { user: "sv", party: network.dso },
    timers: { ...systemHost.timers, soon },
    health: { id: "scan", missing: () => null, port: () => 0, clock: slowClock() },
  });
  return (await serveMount(mount)).url;
}

test.each(["v2", "v0"])(
  "a long page of %s shows the record time at which it was asked for",
  async (version) => {
    const world = await worldWith("ann", "bea", "cleo");
    const { index } = world.node;
    const later = ["dora", "eve"];
    const url = await serveMoving(world, async () => {
      const label = later.shift();
      if (label === undefined) return;
      buy(world, label);
      await world.scan();
    });
    const asked = index.now;
    const before = index.updates.listAfter({ after: -1n, until: asked, limit: 1000 });
    expect(before.length).toBeGreaterThan(3 * PAGE_TURN_MILLISECONDS);
    const answer = await fetch(`${url}/api/scan/${version}/updates`, {
      method: "POST",
      body: JSON.stringify(WHOLE),
      headers: { "content-type": "application/json" },
    });
    const { transactions } = (await answer.json()) as {
      readonly transactions: readonly { update_id: string }[];
    };
    expect(index.now).toBeGreaterThan(asked);
    expect(answer.headers.get(RECORD_TIME_HEADER)).toBe(formatTime(asked));
    expect(transactions.map(({ update_id }) => update_id)).toEqual(before.map(({ updateId }) => updateId));
  },
);

const slowTurns = () =>
  openTurns({ refresh: () => undefined, timers: systemHost.timers, clock: slowClock() });

test("however many long pages are asked for, a turn reads few updates", async () => {
  const { index } = (await worldWith("ann", "bea", "cleo")).node;
  const answerPage = openUpdatePages(() => index, slowTurns());
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const shown = new Map<number, number>();
  const show = () => {
    shown.set(turn, (shown.get(turn) ?? 0) + 1);
    return null;
  };
  const { signal } = new AbortController();
  const list = { field: "transactions", show } as const;
  await Promise.all(Array.from({ length: PAGES }, () => answerPage(WHOLE, list, { signal })));
  isOver = true;
  // All of them begin in the turn in which they are asked for.
  const [first, ...others] = shown.values();
  expect(first).toBe(PAGES * PAGE_TURN_MILLISECONDS);
  expect(others.length).toBeGreaterThan(PAGES);
  expect(Math.max(...others)).toBe(PAGE_TURN_MILLISECONDS);
});

test("a page whose caller has gone is not read on", async () => {
  const { index } = (await worldWith("ann", "bea", "cleo")).node;
  const answerPage = openUpdatePages(() => index, slowTurns());
  const caller = new AbortController();
  let shown = 0;
  const show = () => {
    shown++;
    caller.abort(new Error("the caller has gone"));
    return null;
  };
  const page = answerPage(WHOLE, { field: "events", show }, caller);
  await expect(page).rejects.toThrow("the caller has gone");
  expect(shown).toBe(PAGE_TURN_MILLISECONDS);
});
