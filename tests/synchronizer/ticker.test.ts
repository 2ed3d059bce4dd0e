/** The ticker submits a tick when a deadline is due, and rarely. */
import { systemHost } from "@callsign/node";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { Ticker, type TickerParts } from "../../packages/synchronizer/src/sequencer/ticker.ts";
import { openStreamReplica } from "./stream-replica.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A ticker over a replica that does not follow its log, and how often it ticked and looked. */
function startTicker(parts: Partial<TickerParts>) {
  const node = openStreamReplica({ log: new SqliteLog(":memory:", systemHost) });
  const counts = { ticks: 0, looks: 0 };
  const ticker = new Ticker({
    replica: node.replica,
    nextDue: () => {
      counts.looks++;
      return 1_000_000n as Time;
    },
    now: () => 2_000_000n as Time,
    tick: async () => ++counts.ticks,
    rank: () => 0,
    onError: () => undefined,
    host: systemHost,
    ...parts,
  });
  onTestFinished(async () => {
    await ticker.close();
    node.close();
  });
  return counts;
}

test("a deadline that has come takes one tick, and no other before the replica has applied it", async () => {
  const counts = startTicker({});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(counts.ticks).toBe(1);
});

test("a tick that did not pass the deadline is tried again, but at most once a second", async () => {
  let ticks = 0;
  startTicker({ tick: async () => Math.min(++ticks, 0) });
  await vi.advanceTimersByTimeAsync(3500);
  expect(ticks).toBe(4);
});

test("a deadline just ahead of a standing clock is polled now and then", async () => {
  const counts = startTicker({ now: () => 999_999n as Time });
  await vi.advanceTimersByTimeAsync(500);
  expect(counts.ticks).toBe(0);
  expect(counts.looks).toBeGreaterThan(2);
  expect(counts.looks).toBeLessThan(60);
});

test("deadlines that cannot be read are reported, and read again", async () => {
  const errors: unknown[] = [];
  let broken = true;
  const counts = startTicker({
    nextDue: () => {
      if (broken) throw new Error("disk I/O error");
      return 1_000_000n as Time;
    },
    onError: (error) => errors.push(error),
  });
  await vi.advanceTimersByTimeAsync(1);
  expect(errors.length).toBe(1);
  broken = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(counts.ticks).toBe(1);
});
