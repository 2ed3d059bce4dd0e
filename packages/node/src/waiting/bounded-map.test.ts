import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("the entry set longest ago makes room", () => {
  const map = new BoundedMap<string, number>({ limit: 2 });
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([...map.entries()]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
  map.set("b", 4);
  map.set("d", 5);
  expect([map.get("b"), map.get("c"), map.get("d")]).toEqual([4, undefined, 5]);
});

test("an entry is found until its time to live is over", () => {
  let now = 0;
  const map = new BoundedMap<string, number>({ limit: 2, timeToLive: { milliseconds: 10, now: () => now } });
  map.set("a", 1);
  now = 9;
  expect(map.get("a")).toBe(1);
  now = 10;
  expect(map.get("a")).toBeUndefined();
  expect(map.size).toBe(0);
});

test("the limit holds over any number of entries, also after a clear, and 0 keeps nothing", () => {
  const map = new BoundedMap<number, number>({ limit: 3 });
  for (let i = 0; i < 1000; i++) map.set(i, i);
  expect([...map.entries()].map(([key]) => key)).toEqual([997, 998, 999]);
  map.clear();
  for (let i = 0; i < 5; i++) map.set(i, i);
  expect([...map.entries()].map(([key]) => key)).toEqual([2, 3, 4]);
  expect(map.delete(2)).toBe(true);
  for (let i = 5; i < 9; i++) map.set(i, i);
  expect([...map.entries()].map(([key]) => key)).toEqual([6, 7, 8]);
  const none = new BoundedMap<number, number>({ limit: 0 });
  none.set(1, 1);
  expect(none.size).toBe(0);
});

/** The bytes of V8's heap that are in use, without garbage. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test.each([
  ["deleted before the map is full", (map: BoundedMap<string, number>, key: string) => map.delete(key)],
  ["set in a full map", () => undefined],
])("entries that are %s leave no memory behind", (_, then) => {
  const map = new BoundedMap<string, number>({ limit: 1000 });
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      map.set(`key ${i}`, i);
      then(map, `key ${i}`);
    }
  };
  run(2000);
  const before = usedBytes();
  run(100_000);
  // With every outgrown table it would be 15 MB.
  expect(usedBytes() - before).toBeLessThan(3_000_000);
});

test("the oldest entry makes room, whatever was set and deleted before", () => {
  const step = fc.record({ key: fc.nat(30), isDeleted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800 }), fc.integer({ min: 1, max: 12 }), (steps, limit) => {
      const map = new BoundedMap<number, number>({ limit });
      const plain = new Map<number, number>();
      for (const [i, { key, isDeleted }] of steps.entries()) {
        plain.delete(key);
        if (isDeleted) map.delete(key);
        else {
          map.set(key, i);
          plain.set(key, i);
          for (const oldest of plain.keys()) if (plain.size > limit) plain.delete(oldest);
        }
      }
      expect([...map.entries()]).toEqual([...plain]);
    }),
  );
});
