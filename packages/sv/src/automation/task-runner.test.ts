/** How tasks are kept at: bounded in number, in tries, and in memory, whatever they do. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Command,
  createCommand,
  MIN_TIME,
  type PartyId,
  TerminatedSubscription,
} from "@callsign/ledger";
import { sha256, silentLog } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { Subject } from "../agenda/subject.ts";
import { EACH, rankOf, type Task } from "./task.ts";
import { type RunnerParts, TaskRunner } from "./task-runner.ts";

const command: Command = createCommand(TerminatedSubscription, {
  subscriptionData: {
    sender: "a" as PartyId,
    receiver: "a" as PartyId,
    provider: "a" as PartyId,
    dso: "a" as PartyId,
    description: "",
  },
  reference: `00${sha256("reference")}ca101220${sha256("reference")}` as never,
});

/** So many subjects that each have one task, until it is sent and taken. */
function openTasks(count: number, parts: Partial<RunnerParts> & Pick<RunnerParts, "send">) {
  const open = new Set(Array.from({ length: count }, (_, i) => BigInt(i)));
  let next = 0n;
  const runner = new TaskRunner({
    look: ({ key }) =>
      open.has(key)
        ? [{ automation: "expire-entries", key: String(key), commands: [command], enough: EACH }]
        : [],
    sweep: (): Subject | null => (next < count ? { kind: "contract", key: next++ } : null),
    sweepAgain: () => {
      next = 0n;
    },
    rank: () => 0,
    clock: () => performance.now(),
    now: () => MIN_TIME,
    log: silentLog,
    ...parts,
  });
  onTestFinished(() => runner.stop());
  return { runner, open };
}

test("thousands of tasks are sent a few at a time, each once", async () => {
  let inFlight = 0;
  let most = 0;
  const sent = new Set<string>();
  const { runner, open } = openTasks(3000, {
    send: async ({ key }: Task) => {
      expect(sent.has(key)).toBe(false);
      sent.add(key);
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      open.delete(BigInt(key));
      return null;
    },
  });
  runner.start();
  await runner.idle();
  expect(sent.size).toBe(3000);
  expect(most).toBe(16);
  expect(runner.status()).toMatchObject({ accepted: 3000, lost: 0, failed: 0, waiting: 0, stuck: [] });
});

test("thousands of tasks that always fail are tried a few times, and then seldom", async () => {
  let tries = 0;
  const { runner } = openTasks(3000, {
    send: async () => {
      tries++;
      return "never";
    },
  });
  runner.start();
  await sleep(3000);
  const before = tries;
  // At most a thousand are remembered, each with a wait that doubles; the others are left for a minute.
  expect(tries).toBeLessThan(3000 + 6 * 1001);
  await sleep(500);
  expect(tries - before).toBeLessThan(1100);
  const { waiting, stuck } = runner.status();
  expect(waiting).toBeLessThanOrEqual(1000);
  expect(stuck).toHaveLength(20);
});

test("many that change at once are each looked at a few times, however many wait", async () => {
  const count = 12_000;
  let looks = 0;
  const { runner, open } = openTasks(count, {
    sweep: () => null,
    look: ({ key }) => {
      looks++;
      const task = {
        automation: "collect-renewals",
        key: String(key),
        commands: [command],
        enough: 1,
      } as const;
      return open.has(key) ? [task] : [];
    },
    // Of four SVs each comes first for a part.
    rank: ({ key }) => Number(key) % 4,
    send: async ({ key }: Task) => {
      open.delete(BigInt(key));
      return null;
    },
  });
  for (let key = 0n; key < count; key++) runner.touch({ kind: "name", key });
  runner.start();
  await runner.idle();
  expect(runner.status()).toMatchObject({ accepted: count, lost: 0, failed: 0, waiting: 0 });
  expect(runner.tally.of("collect-renewals").done).toBe(count);
  expect(looks).toBeLessThan(4 * count);
});

test("what waits for its turn or for another try is named, and all of it is counted", async () => {
  const { runner, open } = openTasks(70, {
    look: ({ key }) => {
      const task = {
        automation: "expire-entries",
        key: String(key),
        commands: [command],
        enough: 1,
      } as const;
      return open.has(key) ? [task] : [];
    },
    rank: ({ key }) => (Number(key) < 30 ? 0 : 3),
    send: async () => "not now",
    clock: () => 0,
  });
  runner.start();
  while ((runner.underWay().get("expire-entries")?.waits.length ?? 0) < 20 || runner.status().inFlight > 0)
    await sleep(1);
  const its = runner.underWay().get("expire-entries");
  expect(its).toMatchObject({ inFlight: 0, waiting: 70, stuck: [] });
  expect(its?.waits).toHaveLength(20);
  expect(its?.waits[0]).toEqual({ task: "0", for: "another try", reason: "not now" });
});

test("those that fail do not keep others from being done", async () => {
  const done: string[] = [];
  const { runner, open } = openTasks(1000, {
    send: async ({ key }: Task) => {
      if (Number(key) < 900) return "never";
      open.delete(BigInt(key));
      done.push(key);
      return null;
    },
  });
  runner.start();
  while (done.length < 100) await sleep(10);
  expect(runner.status().accepted).toBe(100);
});

test("a shared task that another SV does meanwhile is not sent", async () => {
  const sent: string[] = [];
  const { runner, open } = openTasks(2, {
    look: ({ key }) =>
      open.has(key)
        ? [{ automation: "expire-entries", key: String(key), commands: [command], enough: 1 }]
        : [],
    rank: ({ key }) => (key === "0" ? 2 : 1),
    send: async ({ key }: Task) => {
      sent.push(key);
      open.delete(BigInt(key));
      return null;
    },
  });
  runner.start();
  await sleep(50);
  expect(sent).toEqual([]);
  open.delete(0n);
  runner.touch({ kind: "contract", key: 0n });
  runner.wake();
  await runner.idle();
  expect(sent).toEqual(["1"]);
});

test("every SV comes first for its part of the tasks, and ranks are an order", () => {
  const svs = ["a", "b", "c", "d"] as PartyId[];
  const firsts = new Map<string, number>();
  for (let i = 0; i < 1000; i++) {
    const ranks = svs.map((sv) => rankOf(sha256, `task ${i}`, sv, svs));
    expect([...ranks].sort()).toEqual([0, 1, 2, 3]);
    const first = svs[ranks.indexOf(0)] as string;
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  for (const sv of svs) expect(firsts.get(sv)).toBeGreaterThan(150);
});

test("a database that cannot be read ends nothing: what is touched is still done, and the rest is found later", async () => {
  let time = 0;
  let broken = true;
  const sent: string[] = [];
  const { runner, open } = openTasks(2, {
    sweep: () => {
      if (broken) throw new Error("disk I/O error");
      return open.has(1n) ? { kind: "contract", key: 1n } : null;
    },
    send: async ({ key }: Task) => {
      sent.push(key);
      open.delete(BigInt(key));
      return null;
    },
    clock: () => time,
  });
  runner.touch({ kind: "contract", key: 0n });
  runner.start();
  await runner.idle();
  expect(sent).toEqual(["0"]);
  broken = false;
  time = 60_000;
  runner.wake();
  await runner.idle();
  expect(sent).toEqual(["0", "1"]);
});

test("a rank that cannot be told is a decision that cannot be taken", async () => {
  const { runner } = openTasks(1, {
    look: () => [{ automation: "expire-entries", key: "0", commands: [command], enough: 1 }],
    rank: () => {
      throw new Error("disk I/O error");
    },
    send: async () => null,
  });
  runner.start();
  await runner.idle();
  expect(runner.status()).toMatchObject({ accepted: 0, waiting: 0 });
});

test("where others come first, an SV does its own work before it waits for theirs", async () => {
  const sent: string[] = [];
  const { runner, open } = openTasks(400, {
    look: ({ key }) =>
      open.has(key)
        ? [{ automation: "expire-entries", key: String(key), commands: [command], enough: 1 }]
        : [],
    // Every other task is another SV's, which is gone.
    rank: ({ key }) => Number(key) % 2,
    send: async ({ key }: Task) => {
      sent.push(key);
      await sleep(20);
      open.delete(BigInt(key));
      return null;
    },
  });
  for (const key of open) runner.touch({ kind: "contract", key });
  runner.start();
  await runner.idle();
  const isOwn = (key: string) => Number(key) % 2 === 0;
  expect(sent).toHaveLength(400);
  expect(sent.slice(0, 200).every(isOwn)).toBe(true);
  expect(sent.slice(200).some(isOwn)).toBe(false);
});

test("own work that came later does not keep an SV from what another has left undone", async () => {
  const sent: string[] = [];
  const undone = Promise.withResolvers<void>();
  const { runner, open } = openTasks(3, {
    look: ({ key }) =>
      open.has(key)
        ? [{ automation: "expire-entries", key: String(key), commands: [command], enough: 1 }]
        : [],
    // The second is another SV's, which is gone; the third, this SV's own, is under way all the time.
    rank: ({ key }) => (key === "1" ? 1 : 0),
    send: async ({ key }: Task) => {
      sent.push(key);
      if (key === "1") undone.resolve();
      if (key === "2") await undone.promise;
      open.delete(BigInt(key));
      return null;
    },
  });
  runner.start();
  await runner.idle();
  expect(sent).toEqual(["0", "2", "1"]);
});
