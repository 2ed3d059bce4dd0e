import { expect, test } from "vitest";
import { KeptReads } from "./kept-reads.ts";

function open() {
  let [changes, reads] = [0, 0];
  const kept = new KeptReads<string>({ limit: 2, changes: () => changes });
  const change = () => {
    changes++;
  };
  const get = (key: string, meanwhile?: () => void) =>
    kept.get(key, async () => {
      reads++;
      meanwhile?.();
      return `${key} at ${changes}`;
    });
  return { kept, change, get, reads: () => reads };
}

test("a value is kept until something changes", async () => {
  const { kept, change, get, reads } = open();
  expect(kept.find("a")).toBeUndefined();
  expect([await get("a"), await get("a"), kept.find("a")]).toEqual(["a at 0", "a at 0", "a at 0"]);
  expect(reads()).toBe(1);
  change();
  expect(kept.find("a")).toBeUndefined();
  expect([await get("a"), reads()]).toEqual(["a at 1", 2]);
});

test("a value that was read while something changed is not kept", async () => {
  const { kept, change, get } = open();
  expect(await get("a", change)).toBe("a at 1");
  expect(kept.find("a")).toBeUndefined();
});

test("a missing value is not kept, and the oldest key makes room for a new one", async () => {
  const { kept, get } = open();
  expect(await kept.get("nobody", async () => undefined)).toBeUndefined();
  for (const key of ["a", "b", "c"]) await get(key);
  expect(["nobody", "a", "b", "c"].map((key) => kept.find(key) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
