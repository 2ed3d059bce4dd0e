import { Amulet, AnsEntry, type Time, timeFromMicros, WalletAppInstall } from "@callsign/ledger";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { silentLog } from "../observability/log.ts";
import { sleep } from "../waiting/sleep.ts";
import type { DueTask, ListedAutomation } from "./listed-automation.ts";
import { ListedRunner } from "./listed-runner.ts";
import { DONE, failed, SKIPPED, STALE, type TaskOutcome, waiting } from "./task-outcome.ts";

const NOTHING: ReadonlySet<string> = new Set();
const touched = (...templates: readonly { readonly entity: string }[]) => ({
  paid: NOTHING,
  owners: NOTHING,
  touched: new Set(templates.map(({ entity }) => entity)),
});
const paid = (...owners: readonly string[]) => ({
  ...{ paid: new Set(owners), owners: new Set(owners), touched: NOTHING },
});
/** A contract of these owners that concerns the automation came or went. */
const changed = (...owners: readonly string[]) => ({ ...touched(AnsEntry), owners: new Set(owners) });
const NO_COIN = failed("more is needed", "coin");

interface Given {
  /** Tasks with their owners. */
  readonly tasks: Map<string, string>;
  readonly perform?: (task: string) => Promise<TaskOutcome>;
  readonly nextDueAt?: (now: Time) => bigint | null;
  readonly beforeList?: () => Promise<void>;
  readonly onChanged?: (owners: ReadonlySet<string>) => void;
  readonly host?: VirtualHost;
}

function start({ tasks, perform, nextDueAt = () => null, beforeList, onChanged, ...given }: Given) {
  const { host = new VirtualHost() } = given;
  const seen = { lists: 0, isWhole: true, ledgerTime: timeFromMicros(0n), warnings: [] as object[] };
  const automation: ListedAutomation = {
    name: "expire-requests",
    concerns: [AnsEntry],
    ...(onChanged && { onChanged }),
    listDue: async (_, after) => {
      if (after === "") seen.lists++;
      await beforeList?.();
      const behind = [...tasks.keys()].sort().filter((task) => task > after);
      return behind.slice(0, 1000).map((task): DueTask => ({ task, owner: tasks.get(task) ?? "" }));
    },
    nextDueAt: async (now) => nextDueAt(now),
    perform: async (task) => {
      const outcome = (await perform?.(task)) ?? DONE;
      if (outcome.kind === "done") tasks.delete(task);
      return outcome;
    },
  };
  const runner = new ListedRunner(automation, {
    host,
    ledgerTime: () => seen.ledgerTime,
    isWhole: () => seen.isWhole,
    reconsiderSkippedOn: WalletAppInstall,
    toFailure: (error) => failed(String(error)),
    log: { ...silentLog, warn: (fields) => seen.warnings.push(fields as object) },
  });
  onTestFinished(() => runner.close());
  return { runner, seen, host };
}

describe("listing", () => {
  test("follows contracts that concern the automation and its due time, and nothing else", async () => {
    const { runner, seen } = start({ tasks: new Map(), nextDueAt: (now) => (now < 100n ? 100n : null) });
    await runner.runDue();
    expect([seen.lists, runner.nextDueAt]).toEqual([1, 100n]);
    runner.advance(touched(Amulet));
    seen.ledgerTime = timeFromMicros(99n);
    runner.advance(touched());
    expect(seen.lists).toBe(1);
    runner.advance(touched(AnsEntry));
    expect(seen.lists).toBe(2);
    await runner.runDue();
    const before = seen.lists;
    seen.ledgerTime = timeFromMicros(100n);
    runner.advance(touched());
    expect(seen.lists).toBe(before + 1);
  });

  test("is told the owners of a change that concerns the automation, before it lists", async () => {
    const changes: (readonly string[])[] = [];
    const { runner } = start({ tasks: new Map(), onChanged: (owners) => changes.push([...owners]) });
    runner.advance(paid("bob"));
    runner.advance(changed("alice", "carol"));
    expect(changes).toEqual([["alice", "carol"]]);
  });

  test("waits until the local copy of the ledger is whole", async () => {
    const tasks = new Map([["a", "alice"]]);
    const { runner, seen } = start({ tasks });
    seen.isWhole = false;
    expect(await runner.runDue()).toBe(0);
    expect([seen.lists, tasks.size]).toEqual([0, 1]);
    seen.isWhole = true;
    expect(await runner.runDue()).toBe(1);
  });

  test("begins no task while it is paused, completes the one under way, and resumes with the others", async () => {
    const tasks = new Map([
      ["a", "alice"],
      ["b", "alice"],
    ]);
    const running = Promise.withResolvers<void>();
    const { runner, seen } = start({ tasks, perform: () => running.promise.then(() => DONE) });
    const due = runner.runDue();
    await vi.waitUntil(() => runner.status().inFlight === 1, { timeout: 60_000 });
    runner.pause();
    running.resolve();
    expect(await due).toBe(1);
    const { lists } = seen;
    runner.advance(changed("alice"));
    expect(await runner.runDue()).toBe(0);
    expect([seen.lists, [...tasks.keys()], runner.nextDueAt]).toEqual([lists, ["b"], null]);
    expect(runner.status()).toMatchObject({ paused: true, done: 1, waiting: 0, inFlight: 0 });
    runner.resume();
    await runner.runDue();
    expect(runner.status()).toMatchObject({ paused: false, done: 2 });
  });

  test("takes on 25,000 due tasks in bounded portions until all are done", async () => {
    const tasks = new Map(Array.from({ length: 25_000 }, (_, i) => [`${100_000 + i}`, `owner ${i % 100}`]));
    let most = 0;
    const perform = async () => {
      most = Math.max(most, runner.status().waiting);
      return DONE;
    };
    const { runner } = start({ tasks, perform });
    while (tasks.size > 0) await runner.runDue();
    expect(runner.status()).toMatchObject({ done: 25_000, failed: 0, waiting: 0, inFlight: 0 });
    expect(most).toBeGreaterThan(5000);
    expect(most).toBeLessThanOrEqual(10_000);
  });

  test("finds the task behind 10,000 failing ones, and does not repeat itself for those", async () => {
    const tasks = new Map(Array.from({ length: 10_000 }, (_, i) => [`${100_000 + i}`, `owner ${i % 100}`]));
    tasks.set("last", "alice");
    const { runner, seen, host } = start({
      tasks,
      perform: async (task) => (task === "last" ? DONE : NO_COIN),
    });
    await runner.runDue();
    await runner.runDue();
    expect(runner.status()).toMatchObject({ done: 1, failed: 10_000, waiting: 10_000, inFlight: 0 });
    const before = seen.lists;
    await host.advance(1000);
    expect(seen.lists).toBe(before);
  });

  test("that takes long gives way to the tasks it found", async () => {
    const tasks = new Map(Array.from({ length: 100 }, (_, i) => [`${1000 + i}`, "alice"]));
    const host = new VirtualHost();
    const perform = async () => {
      // Each done task moves the ledger on.
      runner.advance(touched(AnsEntry));
      await sleep(2, host);
      return DONE;
    };
    const { runner, seen } = start({ tasks, perform, beforeList: () => sleep(20, host), host });
    runner.wake();
    await host.advance(2000);
    // A listing takes 40 ms, page by page: a tenth of the time at most.
    expect(seen.lists).toBeLessThanOrEqual(2000 / 400 + 2);
    expect(runner.status()).toMatchObject({ done: 100, failed: 0, waiting: 0 });
  });
});

describe("a skipped task", () => {
  test("is tried once, and again when a contract of its owner changed or a wallet was installed", async () => {
    const tasks = new Map([
      ["a", "alice"],
      ["b", "bob"],
    ]);
    const tried: string[] = [];
    const perform = async (task: string) => {
      tried.push(task);
      return SKIPPED;
    };
    const { runner } = start({ tasks, perform });
    await runner.runDue();
    await runner.runDue();
    expect(tried).toEqual(["a", "b"]);
    runner.advance(changed("bob"));
    await runner.runDue();
    expect(tried).toEqual(["a", "b", "b"]);
    runner.advance({ ...changed("carol"), touched: new Set([WalletAppInstall.entity]) });
    await runner.runDue();
    expect(tried).toEqual(["a", "b", "b", "a", "b"]);
    expect(runner.status()).toMatchObject({ done: 0, lost: 0, failed: 0, waiting: 0 });
  });

  test("is forgotten when it is no longer due", async () => {
    const tasks = new Map([["a", "alice"]]);
    let tries = 0;
    const perform = async () => {
      tries++;
      return SKIPPED;
    };
    const { runner } = start({ tasks, perform });
    await runner.runDue();
    tasks.clear();
    await runner.runDue();
    tasks.set("a", "alice");
    await runner.runDue();
    expect(tries).toBe(2);
  });

  test("is tried again if a contract of its owner changed during the attempt", async () => {
    let tries = 0;
    const perform = async () => {
      if (++tries === 1) runner.advance(changed("alice"));
      return SKIPPED;
    };
    const { runner } = start({ tasks: new Map([["a", "alice"]]), perform });
    for (let i = 0; i < 3; i++) await runner.runDue();
    expect(tries).toBe(2);
  });
});

test("a task found just before the local copy became incomplete is done once the copy is whole again", async () => {
  const tasks = new Map([["a", "alice"]]);
  const { runner, seen } = start({ tasks });
  const running = runner.runDue();
  seen.isWhole = false;
  await running;
  expect(tasks.size).toBe(1);
  seen.isWhole = true;
  await runner.runDue();
  expect(tasks.size).toBe(0);
});

describe("a failed task", () => {
  test("waits, is shown with its reason, and is forgotten when it is no longer due", async () => {
    const tasks = new Map([["a", "alice"]]);
    const { runner, host } = start({ tasks, perform: () => Promise.reject(new Error("no answer")) });
    expect(await runner.runDue()).toBe(0);
    expect(await runner.runDue()).toBe(0);
    const status = runner.status();
    expect(status).toMatchObject({ done: 0, failed: 1, waiting: 1, stuck: [] });
    expect(status.waits).toEqual([
      { task: "a", for: "another try", reason: "Error: no answer", details: null },
    ]);
    expect(runner.nextRetryAt).toBeGreaterThan(host.clock.elapsedMilliseconds());
    tasks.clear();
    await runner.runDue();
    expect([runner.status().waiting, runner.nextRetryAt]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  test("for want of coin is retried when its owner received some, and not when others did", async () => {
    let hasCoin = false;
    const perform = async () => (hasCoin ? DONE : NO_COIN);
    const { runner } = start({ tasks: new Map([["a", "alice"]]), perform });
    await runner.runDue();
    expect(runner.status().waits).toMatchObject([{ task: "a", for: "coin" }]);
    hasCoin = true;
    runner.advance(paid("bob"));
    expect(await runner.runDue()).toBe(0);
    runner.advance(paid("alice"));
    await runner.runDue();
    expect(runner.status()).toMatchObject({ done: 1, waiting: 0 });
  });

  test("that waits for coin has not failed: it is no warning, and never stuck", async () => {
    const details = { name: "alice.unverified.cns" };
    const { runner, seen } = start({
      tasks: new Map([["a", "alice"]]),
      perform: async () => waiting("more is needed", "coin", details),
    });
    for (let tries = 1; tries <= 10; tries++) {
      runner.advance(paid("alice"));
      await runner.runDue();
    }
    expect(runner.status()).toMatchObject({ done: 0, failed: 0, waiting: 1, stuck: [] });
    expect(runner.status().waits).toEqual([{ task: "a", for: "coin", reason: "more is needed", details }]);
    expect(seen.warnings).toEqual([]);
  });

  test("is logged as a warning the first time and when it is stuck, and not each time", async () => {
    const { runner, seen } = start({ tasks: new Map([["a", "alice"]]), perform: async () => NO_COIN });
    for (let tries = 1; tries <= 10; tries++) {
      runner.advance(paid("alice"));
      await runner.runDue();
    }
    expect(runner.status()).toMatchObject({ failed: 10, stuck: [{ task: "a", failures: 10 }] });
    expect(seen.warnings).toMatchObject([
      { task: "a", failures: 1, error: "more is needed" },
      { task: "a", failures: 4 },
    ]);
  });

  test("does not keep other owners from being served", async () => {
    const tasks = new Map([
      ["a", "alice"],
      ["b", "bob"],
    ]);
    const { runner } = start({ tasks, perform: async (task) => (task === "a" ? failed("no") : DONE) });
    expect(await runner.runDue()).toBe(1);
    expect([...tasks.keys()]).toEqual(["a"]);
  });
});

test("a stale task counts as a lost race, not as a failure", async () => {
  const { runner } = start({ tasks: new Map([["a", "alice"]]), perform: async () => STALE });
  await runner.runDue();
  expect(runner.status()).toMatchObject({ done: 0, lost: 1, failed: 0, waiting: 0 });
});

test("a task that exceeds its deadline fails and frees its owner's lane, and counts as done when it ends", async () => {
  const tasks = new Map([
    ["a", "alice"],
    ["b", "alice"],
  ]);
  const slow = Promise.withResolvers<void>();
  const perform = async (task: string) => {
    if (task === "a") await slow.promise;
    return DONE;
  };
  const { runner, host } = start({ tasks, perform });
  runner.wake();
  await host.advance(10_000);
  expect(runner.status()).toMatchObject({ done: 1, failed: 1, waiting: 1 });
  slow.resolve();
  await host.advance(0);
  expect(runner.status()).toMatchObject({ done: 2, failed: 1, waiting: 0 });
});
