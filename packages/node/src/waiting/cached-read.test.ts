import { describe, expect, test } from "vitest";
import { systemHost } from "../system-host.ts";
import { CachedRead } from "./cached-read.ts";

const { clock } = systemHost;

describe("a cached read", () => {
  test("serves concurrent callers once, and reads again after a drop or when its time is over", async () => {
    let reads = 0;
    const kept = new CachedRead(async () => ++reads, 60_000, clock);
    expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual([1, 1, 1]);
    expect(await kept.get()).toBe(1);
    kept.drop();
    expect(await kept.get()).toBe(2);
    const brief = new CachedRead(async () => ++reads, 0, clock);
    expect(await brief.get()).toBe(3);
    expect(await brief.get()).toBe(4);
  });

  test("is found without a read for as long as it is cached, and undefined is cached, too", async () => {
    let [reads, now] = [0, 0];
    const movable = { ...clock, elapsedMilliseconds: () => now };
    const kept = new CachedRead(async () => ++reads, 10, movable);
    expect([kept.find(), reads]).toEqual([undefined, 0]);
    await kept.get();
    now = 9;
    expect(kept.find()).toBe(1);
    now = 10;
    expect([kept.find(), reads]).toEqual([undefined, 1]);
    const nothing = new CachedRead(
      async () => {
        reads++;
      },
      10,
      movable,
    );
    await nothing.get();
    await nothing.get();
    expect(reads).toBe(2);
  });

  test("that is dropped in flight does not serve later callers", async () => {
    const answers: ((value: string) => void)[] = [];
    const kept = new CachedRead(() => new Promise<string>((resolve) => answers.push(resolve)), 60_000, clock);
    const before = kept.get();
    kept.drop();
    const after = kept.get();
    answers[0]?.("old");
    answers[1]?.("new");
    expect([await before, await after, await kept.get()]).toEqual(["old", "new", "new"]);
  });

  test("does not cache a failure", async () => {
    let reads = 0;
    const kept = new CachedRead(
      async () => {
        if (reads++ === 0) throw new Error("no");
        return reads;
      },
      60_000,
      clock,
    );
    await expect(kept.get()).rejects.toThrow("no");
    expect(await kept.get()).toBe(2);
  });
});
