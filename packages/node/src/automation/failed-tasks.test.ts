import { expect, test } from "vitest";
import { FailedTasks } from "./failed-tasks.ts";
import { LISTED_RETRY } from "./limits.ts";
import { failed, waiting } from "./task-outcome.ts";

const FAILURE = failed("not now");
const NO_COIN = failed("more is needed", "coin");
const of = (key: string, owner = "alice") => ({ key, owner });

test("a failed task waits, longer each time and at most ten minutes", () => {
  const tasks = new FailedTasks(LISTED_RETRY);
  expect(tasks.mayTry("a", 0)).toBe(true);
  let now = 0;
  const pauses: number[] = [];
  for (let i = 0; i < 12; i++) {
    tasks.fail(of("a"), FAILURE, now);
    const next = tasks.nextRetryAt();
    pauses.push(next - now);
    expect(tasks.mayTry("a", next - 1)).toBe(false);
    expect(tasks.mayTry("a", next)).toBe(true);
    now = next;
  }
  expect(pauses.slice(0, 3)).toEqual([250, 500, 1000]);
  expect(pauses.at(-1)).toBe(256_000 * 2);
  tasks.fail(of("a"), FAILURE, 0);
  expect(tasks.nextRetryAt()).toBe(600_000);
  tasks.fail(of("a"), NO_COIN, 0);
  expect(tasks.nextRetryAt()).toBe(5000);
  expect(tasks.find("a")).toMatchObject({ failures: 14, reason: "more is needed", needs: "coin" });
});

test("coin for its owner makes a task ready that failed for want of coin, and no other", () => {
  const tasks = new FailedTasks(LISTED_RETRY);
  tasks.fail(of("poor"), NO_COIN, 100);
  tasks.fail(of("broken"), FAILURE, 100);
  tasks.fail(of("bobs", "bob"), NO_COIN, 100);
  tasks.meetNeed(new Set(["alice"]));
  expect(["poor", "broken", "bobs"].map((key) => tasks.mayTry(key, 101))).toEqual([true, false, false]);
  expect(tasks.listReady(101, 10)).toEqual(["poor"]);
  expect(tasks.listReady(350, 10)).toEqual(["broken", "poor"]);
});

test("a task that is being tried is no next retry", () => {
  const tasks = new FailedTasks(LISTED_RETRY);
  tasks.fail(of("a"), FAILURE, 0);
  tasks.fail(of("b"), FAILURE, 10);
  tasks.try("a");
  expect([tasks.nextRetryAt(), tasks.size]).toEqual([260, 2]);
  expect(tasks.listReady(1000, 10)).toEqual(["b"]);
  tasks.fail(of("a"), FAILURE, 300);
  expect(tasks.nextRetryAt(260)).toBe(800);
});

test("tasks that are no longer due are forgotten, stuck ones too", () => {
  const tasks = new FailedTasks(LISTED_RETRY);
  for (let i = 0; i < 4; i++) tasks.fail(of("gone"), NO_COIN, 0);
  tasks.fail(of("there"), NO_COIN, 10);
  expect([tasks.size, tasks.stuck]).toEqual([2, 1]);
  tasks.keepOnly(new Set(["there"]));
  expect(tasks.mayTry("gone", 1)).toBe(true);
  expect([tasks.nextRetryAt(), tasks.size, tasks.stuck]).toEqual([5010, 1, 0]);
  tasks.keepOnly(new Set());
  expect(tasks.nextRetryAt()).toBe(Number.POSITIVE_INFINITY);
});

test("a stuck task that waits is no longer stuck, and counts its failures anew", () => {
  const tasks = new FailedTasks(LISTED_RETRY);
  for (let i = 0; i < 4; i++) tasks.fail(of("a"), FAILURE, 0);
  expect([tasks.stuck, tasks.find("a")?.failures]).toEqual([1, 4]);
  tasks.fail(of("a"), waiting("more is needed", "coin", { name: "a" }), 0);
  expect([tasks.stuck, tasks.size]).toEqual([0, 1]);
  expect(tasks.find("a")).toMatchObject({ failures: 0, needs: "coin", details: { name: "a" } });
  tasks.fail(of("a"), FAILURE, 0);
  expect([tasks.stuck, tasks.find("a")?.failures]).toEqual([0, 1]);
  expect(tasks.find("a")?.details).toBeNull();
});
