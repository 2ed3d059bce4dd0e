import { expect, test } from "vitest";
import { WaitingTasks } from "./waiting-tasks.ts";

test("what failed waits, longer each time and at most ten minutes", () => {
  const waiting = new WaitingTasks();
  expect(waiting.isDue("p", 0)).toBe(true);
  let now = 0;
  const pauses: number[] = [];
  for (let i = 0; i < 12; i++) {
    waiting.failed("p", { owner: "alice", now, forCoin: false });
    const next = waiting.nextDue() ?? 0;
    pauses.push(next - now);
    expect(waiting.isDue("p", next - 1)).toBe(false);
    expect(waiting.isDue("p", next)).toBe(true);
    now = next;
  }
  expect(pauses.slice(0, 3)).toEqual([250, 500, 1000]);
  expect(pauses.at(-1)).toBe(256_000 * 2);
  waiting.failed("p", { owner: "alice", now: 0, forCoin: false });
  expect(waiting.nextDue()).toBe(600_000);
  waiting.failed("p", { owner: "alice", now: 0, forCoin: true });
  expect(waiting.nextDue()).toBe(5000);
});

test("coin for its owner makes a payment due that lacked coin, and no other", () => {
  const waiting = new WaitingTasks();
  waiting.failed("poor", { owner: "alice", now: 100, forCoin: true });
  waiting.failed("broken", { owner: "alice", now: 100, forCoin: false });
  waiting.failed("bobs", { owner: "bob", now: 100, forCoin: true });
  waiting.coinArrived(new Set(["alice"]));
  expect(["poor", "broken", "bobs"].map((payment) => waiting.isDue(payment, 101))).toEqual([
    true,
    false,
    false,
  ]);
});

test("payments that are no longer to be made are forgotten", () => {
  const waiting = new WaitingTasks();
  waiting.failed("gone", { owner: "alice", now: 0, forCoin: true });
  waiting.failed("there", { owner: "alice", now: 10, forCoin: true });
  waiting.keepOnly(new Set(["there"]));
  expect(waiting.isDue("gone", 1)).toBe(true);
  expect(waiting.nextDue()).toBe(5010);
  waiting.keepOnly(new Set());
  expect(waiting.nextDue()).toBeUndefined();
});
