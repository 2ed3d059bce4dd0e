import { setTimeout as sleep } from "node:timers/promises";
import { KeyedQueue, Refusal } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { CachedRead } from "./scans/cached-read.ts";
import { MAX_QUEUED, Treasury } from "./wallet/treasury.ts";

describe("the treasury", () => {
  test("runs a party's operations one after the other, in their order, and other parties' meanwhile", async () => {
    const treasury = new Treasury();
    const trace: string[] = [];
    const operation = (party: string, name: string) =>
      treasury.run(party, async () => {
        trace.push(`${name} begins`);
        await sleep(5);
        trace.push(`${name} ends`);
        return name;
      });
    const all = [operation("alice", "a1"), operation("alice", "a2"), operation("bob", "b1")];
    expect(treasury.isBusy).toBe(true);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "b1"]);
    expect(trace.filter((line) => line.startsWith("a"))).toEqual([
      "a1 begins",
      "a1 ends",
      "a2 begins",
      "a2 ends",
    ]);
    expect(trace.indexOf("b1 begins")).toBeLessThan(trace.indexOf("a1 ends"));
    expect(treasury.isBusy).toBe(false);
  });

  test("what users ask for comes before what automations do, and those have their turn all the same", async () => {
    const treasury = new Treasury();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const trace: string[] = [];
    const first = treasury.run("alice", () => gate);
    const note = (name: string) => async () => {
      trace.push(name);
    };
    const waiting = [
      treasury.run("alice", note("automation"), "automation"),
      ...Array.from({ length: 12 }, (_, i) => treasury.run("alice", note(`user ${i + 1}`))),
      treasury.run("alice", note("automation again"), "automation"),
    ];
    release();
    await Promise.all([first, ...waiting]);
    // The first and nine more make ten in a row.
    expect(trace.indexOf("automation")).toBe(9);
    expect(trace.slice(-1)).toEqual(["automation again"]);
    expect(trace.filter((name) => name.startsWith("user"))).toEqual(
      Array.from({ length: 12 }, (_, i) => `user ${i + 1}`),
    );
  });

  test("automations that wait take no place from users", async () => {
    const treasury = new Treasury();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const running = [treasury.run("alice", () => gate)];
    for (let i = 0; i < MAX_QUEUED; i++) running.push(treasury.run("alice", () => gate, "automation"));
    for (let i = 1; i < MAX_QUEUED; i++) running.push(treasury.run("alice", () => gate));
    for (const asker of ["user", "automation"] as const) {
      const refused = await treasury.run("alice", () => gate, asker).catch((error: unknown) => error);
      expect(refused instanceof Refusal && refused.rejection.status).toBe(429);
    }
    release();
    await Promise.all(running);
  });

  test("goes on behind an operation that failed", async () => {
    const treasury = new Treasury();
    const failed = treasury.run("alice", () => Promise.reject(new Error("no")));
    const next = treasury.run("alice", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    await treasury.idle();
  });

  test("refuses with 429 what does not fit the queue any more, and only that party's", async () => {
    const treasury = new Treasury();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const running = Array.from({ length: MAX_QUEUED }, () => treasury.run("alice", () => gate));
    const refused = await treasury.run("alice", () => gate).catch((error: unknown) => error);
    expect(refused instanceof Refusal && refused.rejection.status).toBe(429);
    const bobs = treasury.run("bob", async () => "mine");
    expect(await bobs).toBe("mine");
    release();
    await Promise.all(running);
    expect(await treasury.run("alice", async () => "again")).toBe("again");
  });
});

test("turns: the same name one after the other, and a failure does not block the next", async () => {
  const turns = new KeyedQueue();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await sleep(2);
    inside--;
  };
  await Promise.all([turns.run("a", work), turns.run("a", work), turns.run("a", work)]);
  expect(most).toBe(1);
  await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.run("a", async () => 1)).toBe(1);
});

describe("a kept value", () => {
  test("is read once for all who want it, and again when it was dropped or its time is over", async () => {
    let reads = 0;
    const kept = new CachedRead(async () => ++reads, 60_000);
    expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual([1, 1, 1]);
    expect(await kept.get()).toBe(1);
    kept.drop();
    expect(await kept.get()).toBe(2);
    const brief = new CachedRead(async () => ++reads, 0);
    expect(await brief.get()).toBe(3);
    expect(await brief.get()).toBe(4);
  });

  test("dropped while it is read: those who come later do not get the older one", async () => {
    const answers: ((value: string) => void)[] = [];
    const kept = new CachedRead(() => new Promise<string>((resolve) => answers.push(resolve)), 60_000);
    const before = kept.get();
    kept.drop();
    const after = kept.get();
    answers[0]?.("old");
    answers[1]?.("new");
    expect([await before, await after, await kept.get()]).toEqual(["old", "new", "new"]);
  });

  test("a failure is not kept", async () => {
    let reads = 0;
    const kept = new CachedRead(async () => {
      if (reads++ === 0) throw new Error("no");
      return reads;
    }, 60_000);
    await expect(kept.get()).rejects.toThrow("no");
    expect(await kept.get()).toBe(2);
  });
});
