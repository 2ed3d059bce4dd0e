import { expect, test } from "vitest";
import { OwnerLanes } from "./owner-lanes.ts";

/** Lanes whose items end when the test says so. */
function gatedLanes(ownersAtOnce: number) {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const lanes = new OwnerLanes((item) => {
    begun.push(item);
    return new Promise((resolve) => gates.set(item, resolve));
  }, ownersAtOnce);
  const end = async (item: string) => {
    gates.get(item)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, begun, end };
}

test("one owner's items run one after the other, and a slow owner holds up nobody else", async () => {
  const { lanes, begun, end } = gatedLanes(2);
  for (const item of ["a1", "a2", "a3"]) lanes.add("alice", item);
  lanes.add("bob", "b1");
  lanes.add("carol", "c1");
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("c1");
  expect(begun).toHaveLength(3);
  lanes.add("bob", "b2");
  expect(begun.at(-1)).toBe("b2");
  await end("a1");
  expect(begun.at(-1)).toBe("a2");
});

test("an item that waits or runs is not added again, and lanes are idle when all items have ended", async () => {
  const { lanes, begun, end } = gatedLanes(4);
  await lanes.idle();
  let isIdle = false;
  for (const item of ["a1", "a1", "a2", "a2"]) lanes.add("alice", item);
  const idle = lanes.idle().then(() => {
    isIdle = true;
  });
  await end("a1");
  expect(isIdle).toBe(false);
  await end("a2");
  await idle;
  expect(begun).toEqual(["a1", "a2"]);
});

test("items that were cleared do not begin", async () => {
  const { lanes, begun, end } = gatedLanes(1);
  lanes.add("alice", "a1");
  lanes.add("bob", "b1");
  lanes.clear();
  await end("a1");
  await lanes.idle();
  expect(begun).toEqual(["a1"]);
});
