// A validator gives an agreed answer again until a scan that gave it says that it has moved on.

import type { Time } from "@callsign/ledger";
import { type Host, Metrics, silentLog, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { exposeMetrics } from "../../packages/node/src/observability/exposition.ts";
import { until } from "../../packages/node/testing/until.ts";
import { STANDING_MILLISECONDS } from "../../packages/validator/src/limits/limits.ts";
import { ScanGroup } from "../../packages/validator/src/scans/scan-group.ts";
import { entriesByPrefix, entryByName } from "../../packages/validator/src/scans/scan-lookups.ts";
import { ServedWorld } from "./served-world.ts";

const ALICE = "alice.unverified.cns";
const BOB = "bob.unverified.cns";

async function start({ waitFor = () => null }: { readonly waitFor?: () => Time | null } = {}) {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  world.buy(alice, { name: ALICE });
  await world.scan();
  const metrics = new Metrics();
  // Its clock for the age of answers stands still until it is moved.
  let elapsed = systemHost.clock.elapsedMilliseconds();
  const clock = { ...systemHost.clock, elapsedMilliseconds: () => elapsed };
  const host: Host = { ...systemHost, clock };
  const group = new ScanGroup({ urls: [world.url], host, log: silentLog, metrics, waitFor });
  onTestFinished(() => group.close());
  const countAsked = async () => {
    const text = Buffer.from((await exposeMetrics(metrics, undefined, systemHost.timers)).body).toString();
    const counts = text.matchAll(/^\w*client\w*_count\{[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  /** The number of questions that a read takes. */
  const asksFor = async (read: () => Promise<unknown>) => {
    const before = await countAsked();
    await read();
    return (await countAsked()) - before;
  };
  const lookUp = (name = ALICE) => group.read(entryByName(name));
  await until(async () => {
    await lookUp(BOB);
    return (await asksFor(() => lookUp(BOB))) === 0;
  }, "answers stand");
  return {
    world,
    alice,
    group,
    lookUp,
    asksFor,
    pass: (milliseconds: number) => {
      elapsed += milliseconds;
    },
  };
}

test("an answer is asked for once, whether it is a name or none, with the evidence of the first", async () => {
  const { group, lookUp, asksFor } = await start();
  expect(await asksFor(() => lookUp())).toBe(1);
  const first = await group.agree(entryByName(ALICE));
  expect(await asksFor(() => lookUp())).toBe(0);
  expect(await group.agree(entryByName(ALICE))).toEqual(first);
  expect((await lookUp())?.name).toBe(ALICE);
  expect(await lookUp(BOB)).toBeNull();
});

test("a scan that has read on is asked again, and its new answer counts", async () => {
  const { world, alice, lookUp, asksFor } = await start();
  expect(await lookUp(BOB)).toBeNull();
  world.buy(alice, { name: BOB });
  await world.scan();
  await until(async () => (await lookUp(BOB))?.name === BOB, "the new name is seen");
  expect(await asksFor(() => lookUp(BOB))).toBe(0);
});

test("an answer from before the record time that a reader needs does not count", async () => {
  let wanted: Time | null = null;
  const { world, lookUp, asksFor } = await start({ waitFor: () => wanted });
  await lookUp();
  wanted = world.node.index.now;
  expect(await asksFor(() => lookUp())).toBe(0);
  wanted = (wanted + 1n) as Time;
  const reading = lookUp();
  world.network.advance(1n);
  world.buy(world.wallet("carol"), { name: BOB });
  await world.scan();
  expect((await reading)?.name).toBe(ALICE);
});

test("a scan that begins to misbehave is asked again at once", async () => {
  const { world, lookUp, asksFor } = await start();
  expect(await asksFor(() => lookUp())).toBe(1);
  world.misbehaviour.behave("lie");
  await until(async () => (await asksFor(() => lookUp())) > 0, "it is asked");
});

test("a scan that says nothing more is asked again after a time", async () => {
  const { lookUp, asksFor, pass } = await start();
  await lookUp();
  pass(STANDING_MILLISECONDS - 1);
  expect(await asksFor(() => lookUp())).toBe(0);
  pass(1);
  expect(await asksFor(() => lookUp())).toBe(1);
});

test("answers do not outlive the scans that gave them", async () => {
  const { world, group, lookUp, asksFor } = await start();
  await lookUp();
  group.replace([world.url]);
  expect(await asksFor(() => lookUp())).toBe(1);
});

test("a long answer is asked for each time", async () => {
  const { world, alice, group, asksFor } = await start();
  for (let i = 0; i < 30; i++) world.buy(alice, { name: `many-${i}.unverified.cns` });
  await world.scan();
  const list = () => group.read(entriesByPrefix({ name_prefix: "many", page_size: 100 }));
  await until(async () => (await list()).entries.length === 30, "all are there");
  expect(await asksFor(list)).toBe(1);
  const few = () => group.read(entriesByPrefix({ name_prefix: "many-1.", page_size: 1 }));
  await few();
  expect(await asksFor(few)).toBe(0);
});
