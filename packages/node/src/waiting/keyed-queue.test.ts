import { expect, test } from "vitest";
import { KeyedQueue } from "./keyed-queue.ts";

test("work under one key runs one at a time and in order, work under another key meanwhile", async () => {
  const queue = new KeyedQueue();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const trace: string[] = [];
  const work = (name: string, until: Promise<void>) => async () => {
    trace.push(`${name} begins`);
    await until;
    trace.push(`${name} ends`);
    return name;
  };
  const first = queue.run("a", work("a1", gate));
  const second = queue.run("a", work("a2", gate));
  expect(await queue.run("b", work("b1", Promise.resolve()))).toBe("b1");
  expect(queue.count("a")).toBe(2);
  open();
  expect(await Promise.all([first, second])).toEqual(["a1", "a2"]);
  await queue.idle();
  expect(queue.isBusy).toBe(false);
  expect(trace).toEqual(["a1 begins", "b1 begins", "b1 ends", "a1 ends", "a2 begins", "a2 ends"]);
});

test("failed work, thrown or rejected, goes to its caller and lets the next work run", async () => {
  const queue = new KeyedQueue();
  const rejected = queue.run("a", () => Promise.reject(new Error("rejected")));
  const thrown = queue.run("a", () => {
    throw new Error("thrown");
  });
  const next = queue.run("a", async () => "next");
  await expect(rejected).rejects.toThrow("rejected");
  await expect(thrown).rejects.toThrow("thrown");
  expect(await next).toBe("next");
});

test("urgent work goes first, and leaves a turn to ordinary work after so many in a row", async () => {
  const queue = new KeyedQueue({ maxUrgentInARow: 2 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const trace: string[] = [];
  const note = (name: string) => async () => void trace.push(name);
  void queue.run("a", () => gate);
  void queue.run("a", note("ordinary 1"));
  void queue.run("a", note("ordinary 2"));
  for (const number of [1, 2, 3]) void queue.run("a", note(`urgent ${number}`), "urgent");
  expect([queue.count("a"), queue.count("a", "urgent"), queue.count("b")]).toEqual([3, 3, 0]);
  open();
  await queue.idle();
  expect(trace).toEqual(["urgent 1", "urgent 2", "ordinary 1", "urgent 3", "ordinary 2"]);
});
