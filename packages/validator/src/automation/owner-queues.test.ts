import { expect, test } from "vitest";
import { withinDeadline } from "../waiting/deadline.ts";
import { OwnerQueues } from "./owner-queues.ts";

/** Work that ends when it is told to. */
function gatedQueues(atOnce: number) {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const queues = new OwnerQueues((item) => {
    begun.push(item);
    return new Promise((resolve) => gates.set(item, resolve));
  }, atOnce);
  const end = async (item: string) => {
    gates.get(item)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queues, begun, end };
}

test("one owner's work is done one after the other, others' meanwhile, and a slow one holds up nobody", async () => {
  const { queues, begun, end } = gatedQueues(2);
  for (const item of ["a1", "a2", "a3"]) queues.add("alice", item);
  queues.add("bob", "b1");
  queues.add("carol", "c1");
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("c1");
  expect(begun).toHaveLength(3);
  queues.add("bob", "b2");
  expect(begun.at(-1)).toBe("b2");
  await end("a1");
  expect(begun.at(-1)).toBe("a2");
});

test("what waits or runs is not queued again, and idle comes when all has ended", async () => {
  const { queues, begun, end } = gatedQueues(4);
  await queues.idle();
  let isIdle = false;
  queues.add("alice", "a1");
  queues.add("alice", "a1");
  queues.add("alice", "a2");
  queues.add("alice", "a2");
  const idle = queues.idle().then(() => {
    isIdle = true;
  });
  await end("a1");
  expect(isIdle).toBe(false);
  await end("a2");
  await idle;
  expect(begun).toEqual(["a1", "a2"]);
});

test("what was forgotten does not begin", async () => {
  const { queues, begun, end } = gatedQueues(1);
  queues.add("alice", "a1");
  queues.add("bob", "b1");
  queues.clear();
  await end("a1");
  await queues.idle();
  expect(begun).toEqual(["a1"]);
});

test("a deadline ends the waiting, and hands on what came in time", async () => {
  expect(await withinDeadline(Promise.resolve(1), 1000)).toBe(1);
  await expect(withinDeadline(Promise.reject(new Error("no")), 1000)).rejects.toThrow("no");
  await expect(withinDeadline(new Promise(() => undefined), 20)).rejects.toThrow(/longer than 20 ms/);
});
