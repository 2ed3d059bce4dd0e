// How one automation is run: when it looks, how much it takes on at once, what becomes of what fails.

import { spliceError } from "@callsign/api";
import { Amulet, AnsEntry, type Time, timeFromMicros, WalletAppInstall } from "@callsign/ledger";
import { silentLog } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../packages/node/src/http/refusal.ts";
import type { Automation, Due } from "../../packages/validator/src/automation/automation.ts";
import { AutomationLoop } from "../../packages/validator/src/automation/automation-loop.ts";
import { LedgerClock } from "../../packages/validator/src/ledger/ledger-clock.ts";
import { NotEnoughCoin } from "../../packages/validator/src/ledger/ledger-refusal.ts";

const NOTHING: ReadonlySet<string> = new Set();
const touched = (...templates: readonly { readonly entity: string }[]) => ({
  paid: NOTHING,
  owners: NOTHING,
  touched: new Set(templates.map(({ entity }) => entity)),
});
const paid = (...owners: readonly string[]) => ({
  paid: new Set(owners),
  owners: new Set(owners),
  touched: NOTHING,
});
/** Something of theirs that concerns the automation came or went. */
const changed = (...owners: readonly string[]) => ({ ...touched(AnsEntry), owners: new Set(owners) });

interface Given {
  readonly tasks: Map<string, string>;
  readonly perform?: (task: string) => Promise<boolean>;
  readonly nextDueAt?: (now: Time) => bigint | null;
  readonly beforeList?: () => Promise<void>;
}

/** Tasks with their owners; what is done is there no longer. */
function start({ tasks, perform, nextDueAt = () => null, beforeList }: Given) {
  const clock = new LedgerClock();
  const seen = { looks: 0, isWhole: true, warnings: [] as object[] };
  const automation: Automation = {
    name: "expire-requests",
    reactsTo: [AnsEntry],
    listDue: async (_, after) => {
      if (after === "") seen.looks++;
      await beforeList?.();
      const behind = [...tasks.keys()].sort().filter((task) => task > after);
      return behind.slice(0, 1000).map((task): Due => ({ task, owner: tasks.get(task) ?? "" }));
    },
    nextDueAt: async (now) => nextDueAt(now),
    perform: perform ?? (async (task) => tasks.delete(task)),
  };
  const warn = (fields: object) => seen.warnings.push(fields);
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, error: quiet, warn, child: () => silentLog };
  const loop = new AutomationLoop(automation, { clock, isWhole: () => seen.isWhole, log });
  return { loop, clock, seen };
}

const refusal = (status: number) => new Refusal(spliceError(status, "no"));

describe("when it looks", () => {
  test("for contracts that concern it, when its time has come, and not otherwise", async () => {
    const { loop, clock, seen } = start({ tasks: new Map(), nextDueAt: (now) => (now < 100n ? 100n : null) });
    await loop.look();
    expect([seen.looks, loop.nextDueAt]).toEqual([1, 100n]);
    loop.advanced(touched(Amulet));
    clock.observe(timeFromMicros(99n));
    loop.advanced(touched());
    expect(seen.looks).toBe(1);
    loop.advanced(touched(AnsEntry));
    expect(seen.looks).toBe(2);
    await loop.look();
    const before = seen.looks;
    clock.observe(timeFromMicros(100n));
    loop.advanced(touched());
    expect(seen.looks).toBe(before + 1);
    await loop.close();
  });

  test("never while the copy of the ledger is not whole", async () => {
    const tasks = new Map([["a", "alice"]]);
    const { loop, seen } = start({ tasks });
    seen.isWhole = false;
    expect(await loop.look()).toBe(0);
    expect([seen.looks, tasks.size]).toEqual([0, 1]);
    seen.isWhole = true;
    expect(await loop.look()).toBe(1);
    await loop.close();
  });
});

test("much that is due is taken on in bounded portions, and all of it is done", async () => {
  const tasks = new Map(Array.from({ length: 25_000 }, (_, i) => [`${100_000 + i}`, `owner ${i % 100}`]));
  let most = 0;
  const perform = async (task: string) => {
    most = Math.max(most, loop.status().waiting);
    return tasks.delete(task);
  };
  const { loop } = start({ tasks, perform });
  while (tasks.size > 0) await loop.look();
  expect(loop.status()).toMatchObject({ done: 25_000, failed: 0, waiting: 0, in_flight: 0 });
  expect(most).toBeGreaterThan(5000);
  expect(most).toBeLessThanOrEqual(10_000);
  await loop.close();
});

test("as much as can be taken on at once, failing, neither hides what is behind it nor keeps the loop busy", async () => {
  const tasks = new Map(Array.from({ length: 10_000 }, (_, i) => [`${100_000 + i}`, `owner ${i % 100}`]));
  tasks.set("last", "alice");
  const perform = async (task: string) => {
    if (task !== "last") throw new NotEnoughCoin(spliceError(400, "more is needed"));
    return tasks.delete(task);
  };
  const { loop, seen } = start({ tasks, perform });
  await loop.look();
  await loop.look();
  expect(loop.status()).toMatchObject({ done: 1, failed: 10_000, waiting: 10_000, in_flight: 0 });
  const before = seen.looks;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(seen.looks).toBe(before);
  await loop.close();
});

test("where looking takes long, what was found is done before it looks again", async () => {
  const tasks = new Map(Array.from({ length: 100 }, (_, i) => [`${1000 + i}`, "alice"]));
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  const perform = async (task: string) => {
    // Each that is done moves the ledger on.
    loop.advanced(touched(AnsEntry));
    await new Promise((resolve) => setTimeout(resolve, 2));
    return tasks.delete(task);
  };
  const { loop, seen } = start({ tasks, perform, beforeList: slow });
  const began = performance.now();
  while (tasks.size > 0) await loop.look();
  // A look takes 40 ms, page by page: a tenth of the time at most.
  expect(seen.looks).toBeLessThanOrEqual((performance.now() - began) / 400 + 2);
  expect(loop.status()).toMatchObject({ done: 100, failed: 0, waiting: 0 });
  await loop.close();
});

describe("what is left alone", () => {
  test("is asked about once, and again when something of its owner's changed or a wallet was installed", async () => {
    const tasks = new Map([
      ["a", "alice"],
      ["b", "bob"],
    ]);
    const asked: string[] = [];
    const perform = async (task: string) => {
      asked.push(task);
      return false;
    };
    const { loop } = start({ tasks, perform });
    await loop.look();
    await loop.look();
    expect(asked).toEqual(["a", "b"]);
    loop.advanced(changed("bob"));
    await loop.look();
    expect(asked).toEqual(["a", "b", "b"]);
    loop.advanced({ ...changed("carol"), touched: new Set([WalletAppInstall.entity]) });
    await loop.look();
    expect(asked).toEqual(["a", "b", "b", "a", "b"]);
    expect(loop.status()).toMatchObject({ done: 0, lost: 0, failed: 0, waiting: 0 });
    await loop.close();
  });

  test("is forgotten when it is not due any more", async () => {
    const tasks = new Map([["a", "alice"]]);
    let asked = 0;
    const perform = async () => {
      asked++;
      return false;
    };
    const { loop } = start({ tasks, perform });
    await loop.look();
    tasks.clear();
    await loop.look();
    tasks.set("a", "alice");
    await loop.look();
    expect(asked).toBe(2);
    await loop.close();
  });

  test("is asked about again if something changed while it was asked about", async () => {
    const tasks = new Map([["a", "alice"]]);
    let asked = 0;
    const perform = async () => {
      if (++asked === 1) loop.advanced(changed("alice"));
      return false;
    };
    const { loop } = start({ tasks, perform });
    await loop.look();
    await loop.look();
    await loop.look();
    expect(asked).toBe(2);
    await loop.close();
  });

  test("is asked about as soon as the copy of the ledger is whole, if it was not", async () => {
    const tasks = new Map([["a", "alice"]]);
    const { loop, seen } = start({ tasks, perform: async (task) => tasks.delete(task) });
    const looking = loop.look();
    seen.isWhole = false;
    await looking;
    seen.isWhole = true;
    await loop.look();
    expect(tasks.size).toBe(0);
    await loop.close();
  });
});

describe("what fails", () => {
  test("waits, is shown with its reason, and is forgotten when it is not due any more", async () => {
    const tasks = new Map([["a", "alice"]]);
    const { loop } = start({ tasks, perform: () => Promise.reject(refusal(503)) });
    expect(await loop.look()).toBe(0);
    expect(await loop.look()).toBe(0);
    const status = loop.status();
    expect(status).toMatchObject({ done: 0, failed: 1, waiting: 1, stuck: [] });
    expect(status.waits).toEqual([{ task: "a", for: "another try", reason: expect.any(String) }]);
    expect(loop.nextTry).toBeGreaterThan(performance.now());
    tasks.clear();
    await loop.look();
    expect(loop.status().waiting).toBe(0);
    expect(loop.nextTry).toBeUndefined();
    await loop.close();
  });

  test("for want of coin is tried again when its owner received some, and not when others did", async () => {
    const tasks = new Map([["a", "alice"]]);
    let hasCoin = false;
    const perform = async (task: string) => {
      if (!hasCoin) throw new NotEnoughCoin(spliceError(400, "more is needed"));
      return tasks.delete(task);
    };
    const { loop } = start({ tasks, perform });
    await loop.look();
    expect(loop.status().waits).toMatchObject([{ task: "a", for: "coin" }]);
    hasCoin = true;
    loop.advanced(paid("bob"));
    expect(await loop.look()).toBe(0);
    loop.advanced(paid("alice"));
    await loop.look();
    expect(loop.status()).toMatchObject({ done: 1, waiting: 0 });
    await loop.close();
  });

  test("is told of for the first time and when it is stuck, and not each time", async () => {
    const perform = () => Promise.reject(new NotEnoughCoin(spliceError(400, "more is needed")));
    const { loop, seen } = start({ tasks: new Map([["a", "alice"]]), perform });
    for (let tries = 1; tries <= 10; tries++) {
      loop.advanced(paid("alice"));
      await loop.look();
    }
    expect(loop.status()).toMatchObject({ failed: 10, stuck: [{ task: "a", failures: 10 }] });
    expect(seen.warnings).toMatchObject([
      { task: "a", failures: 1, error: expect.stringContaining("more is needed") },
      { task: "a", failures: 4 },
    ]);
    await loop.close();
  });

  test("because another was faster is no failure", async () => {
    const { loop } = start({ tasks: new Map([["a", "alice"]]), perform: () => Promise.reject(refusal(404)) });
    await loop.look();
    expect(loop.status()).toMatchObject({ done: 0, lost: 1, failed: 0, waiting: 0 });
    await loop.close();
  });

  test("for one owner keeps nobody else from being served", async () => {
    const tasks = new Map([
      ["a", "alice"],
      ["b", "bob"],
    ]);
    const perform = async (task: string) => {
      if (task === "a") throw refusal(503);
      return tasks.delete(task);
    };
    const { loop } = start({ tasks, perform });
    expect(await loop.look()).toBe(1);
    expect([...tasks.keys()]).toEqual(["a"]);
    await loop.close();
  });
});
