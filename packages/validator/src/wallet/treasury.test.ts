import { describe, expect, test } from "vitest";
import { isProblem } from "../errors/validator-error.ts";
import { MAX_QUEUED } from "../limits/limits.ts";
import { Treasury } from "./treasury.ts";

describe("the treasury", () => {
  test("runs a party's operations one after the other, and other parties' at the same time", async () => {
    const treasury = new Treasury();
    const trace: string[] = [];
    const operation = (party: string, name: string) =>
      treasury.run(party, async () => {
        trace.push(`${name} begins`);
        await Promise.resolve();
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

  test("runs users' operations before automations', and an automation's after ten of users in a row", async () => {
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

  test("counts operations of automations apart from those of users", async () => {
    const treasury = new Treasury();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const running = [treasury.run("alice", () => gate)];
    for (let i = 0; i < MAX_QUEUED; i++) running.push(treasury.run("alice", () => gate, "automation"));
    for (let i = 1; i < MAX_QUEUED; i++) running.push(treasury.run("alice", () => gate));
    for (const asker of ["user", "automation"] as const) {
      const refused = await treasury.run("alice", () => gate, asker).catch((error: unknown) => error);
      expect(isProblem(refused, "queue-full")).toBe(true);
    }
    release();
    await Promise.all(running);
  });

  test("runs the next operation after one that failed", async () => {
    const treasury = new Treasury();
    const failed = treasury.run("alice", () => Promise.reject(new Error("no")));
    const next = treasury.run("alice", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    await treasury.idle();
  });

  test("refuses an operation of a party whose queue is full, and of no other party", async () => {
    const treasury = new Treasury();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const running = Array.from({ length: MAX_QUEUED }, () => treasury.run("alice", () => gate));
    const refused = await treasury.run("alice", () => gate).catch((error: unknown) => error);
    expect(isProblem(refused, "queue-full")).toBe(true);
    const bobs = treasury.run("bob", async () => "mine");
    expect(await bobs).toBe("mine");
    release();
    await Promise.all(running);
    expect(await treasury.run("alice", async () => "again")).toBe("again");
  });
});
