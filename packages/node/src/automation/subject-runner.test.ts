import { MIN_TIME } from "@callsign/ledger";
import { expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { sha256 } from "../identity/keys.ts";
import { silentLog } from "../observability/log.ts";
import { sleep } from "../waiting/sleep.ts";
import { rankOf, type SharedTask } from "./shared-task.ts";
import { type SubjectOutcome, SubjectRunner, type SubjectRunnerParts } from "./subject-runner.ts";
import { DONE, failed } from "./task-outcome.ts";

const AUTOMATION = "expire-entries";

interface Given {
  /** The number of SVs that each task takes. */
  readonly takes?: SharedTask["takes"];
  readonly rank?: (key: number) => number;
  readonly parts?: Partial<SubjectRunnerParts<number, SharedTask>>;
}

/** Subjects 0, 1, … with one task each until it is done. */
function runnerOf(count: number, perform: (key: number) => Promise<SubjectOutcome>, given: Given = {}) {
  const { takes = "each", rank = () => 0, parts = {} } = given;
  const host = new VirtualHost();
  const open = new Set(Array.from({ length: count }, (_, i) => i));
  const seen = { next: 0, decisions: 0 };
  const runner = new SubjectRunner<number, SharedTask>({
    idOf: String,
    decide: (subject) => {
      seen.decisions++;
      return open.has(subject) ? [{ automation: AUTOMATION, key: String(subject), takes }] : [];
    },
    sweep: () => (seen.next < count ? seen.next++ : null),
    restartSweep: () => {
      seen.next = 0;
    },
    rank: ({ key }) => rank(Number(key)),
    perform: async ({ key }) => {
      const outcome = await perform(Number(key));
      if (outcome.kind === "done") open.delete(Number(key));
      return outcome;
    },
    host,
    ledgerTime: () => MIN_TIME,
    log: silentLog,
    ...parts,
  });
  onTestFinished(() => runner.stop());
  return { runner, host, open, seen };
}

test("thousands of tasks are sent a few at a time, each once", async () => {
  let inFlight = 0;
  let most = 0;
  const sent: number[] = [];
  const { runner, host } = runnerOf(3000, async (key) => {
    sent.push(key);
    most = Math.max(most, ++inFlight);
    await sleep(1, host);
    inFlight--;
    return DONE;
  });
  runner.start();
  await host.advance(1000);
  expect(runner.isIdle).toBe(true);
  expect(new Set(sent).size).toBe(3000);
  expect([sent.length, most]).toEqual([3000, 16]);
  expect(runner.status()).toMatchObject({ accepted: 3000, lost: 0, failed: 0, waiting: 0, stuck: [] });
});

test("thousands of tasks that always fail are retried a few times, and then seldom", async () => {
  let tries = 0;
  const { runner, host } = runnerOf(3000, async () => {
    tries++;
    return failed("never");
  });
  runner.start();
  await host.advance(3000);
  // At most a thousand are remembered, each with a pause that doubles; the others are left for a minute.
  expect(tries).toBeLessThan(3000 + 6 * 1001);
  const before = tries;
  await host.advance(500);
  expect(tries - before).toBeLessThan(1100);
  const { waiting, stuck } = runner.status();
  expect(waiting).toBeLessThanOrEqual(1000);
  expect(stuck).toHaveLength(20);
});

test("of many subjects that change at once each is decided a few times, however many wait", async () => {
  const count = 12_000;
  // Of four SVs each comes first for a part.
  const given = { takes: 1, rank: (key: number) => key % 4, parts: { sweep: () => null } };
  const { runner, host, seen } = runnerOf(count, async () => DONE, given);
  for (let subject = 0; subject < count; subject++) runner.changed(subject);
  runner.start();
  await host.advance(60_000);
  expect(runner.status()).toMatchObject({ accepted: count, lost: 0, failed: 0, waiting: 0 });
  expect(runner.tally.of(AUTOMATION).done).toBe(count);
  expect(seen.decisions).toBeLessThan(4 * count);
});

test("tasks that wait for a turn or a retry are named up to twenty, and all of them are counted", async () => {
  const given = { takes: 1, rank: (key: number) => (key < 30 ? 0 : 3) };
  const { runner, host } = runnerOf(70, async () => failed("not now"), given);
  runner.start();
  await host.advance(0);
  const its = runner.tasksByAutomation().get(AUTOMATION);
  expect(its).toMatchObject({ inFlight: 0, waiting: 70, stuck: [] });
  expect(its?.waits).toHaveLength(20);
  expect(its?.waits[0]).toEqual({ task: "0", for: "another try", reason: "not now", details: null });
});

test("tasks that fail do not keep others from being done", async () => {
  const { runner, host } = runnerOf(1000, async (key) => (key < 900 ? failed("never") : DONE));
  runner.start();
  await host.advance(1000);
  expect(runner.status().accepted).toBe(100);
});

test("a shared task that another SV does meanwhile is not sent", async () => {
  const sent: number[] = [];
  const perform = async (key: number) => {
    sent.push(key);
    return DONE;
  };
  const { runner, host, open } = runnerOf(2, perform, { takes: 1, rank: (key) => (key === 0 ? 2 : 1) });
  runner.start();
  await host.advance(50);
  expect(sent).toEqual([]);
  open.delete(0);
  runner.changed(0);
  runner.wake();
  await host.advance(1000);
  expect(sent).toEqual([1]);
  expect(runner.status()).toMatchObject({ accepted: 1, lost: 0 });
});

test("a subject that ends takes its waiting tasks along, and one without tasks is not decided again", async () => {
  const { runner, host, open, seen } = runnerOf(2, async () => DONE, { takes: 1, rank: () => 2 });
  open.delete(1);
  runner.start();
  await host.advance(0);
  expect(runner.status().waiting).toBe(1);
  const { decisions } = seen;
  open.delete(0);
  for (const subject of [0, 1]) runner.ended(subject);
  runner.wake();
  await host.advance(0);
  expect(runner.status().waiting).toBe(0);
  expect(seen.decisions).toBe(decisions + 1);
});

test("a refused task that the ledger then shows done is a lost race; one still to be done is a failure", async () => {
  const { runner, host, open } = runnerOf(2, async (key) => {
    if (key === 0) open.delete(key);
    return failed("another SV was faster");
  });
  runner.start();
  await host.advance(0);
  expect(runner.tally.of(AUTOMATION)).toMatchObject({ done: 0, lost: 1, failed: 1 });
});

test("every SV comes first for its part of the tasks, and ranks are an order", () => {
  const svs = ["a", "b", "c", "d"];
  const firsts = new Map<string, number>();
  for (let i = 0; i < 1000; i++) {
    const ranks = svs.map((sv) => rankOf(sha256, `task ${i}`, sv, svs));
    expect([...ranks].sort()).toEqual([0, 1, 2, 3]);
    const first = svs[ranks.indexOf(0)] as string;
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  for (const sv of svs) expect(firsts.get(sv)).toBeGreaterThan(150);
});

test("a sweep that fails is repeated after a minute, and changed subjects are served meanwhile", async () => {
  let isBroken = true;
  const sent: number[] = [];
  const sweep = () => {
    if (isBroken) throw new Error("disk I/O error");
    return open.has(1) ? 1 : null;
  };
  const perform = async (key: number) => {
    sent.push(key);
    return DONE;
  };
  const { runner, host, open } = runnerOf(2, perform, { parts: { sweep } });
  runner.changed(0);
  runner.start();
  await host.advance(59_000);
  expect(sent).toEqual([0]);
  isBroken = false;
  await host.advance(1000);
  expect(sent).toEqual([0, 1]);
});

test("a rank that cannot be read is a decision that fails, and sends nothing", async () => {
  const rank = () => {
    throw new Error("disk I/O error");
  };
  const { runner, host } = runnerOf(1, async () => DONE, { takes: 1, rank });
  runner.start();
  await host.advance(1000);
  expect(runner.status()).toMatchObject({ accepted: 0, waiting: 0 });
});

test("where other SVs come first, an SV does its own tasks before it waits for theirs", async () => {
  const sent: number[] = [];
  const perform = async (key: number) => {
    sent.push(key);
    await sleep(20, host);
    return DONE;
  };
  // Every other task is for another SV, which is gone.
  const { runner, host, open } = runnerOf(400, perform, { takes: 1, rank: (key) => key % 2 });
  for (const subject of open) runner.changed(subject);
  runner.start();
  await host.advance(60_000);
  expect(sent).toHaveLength(400);
  expect(sent.slice(0, 200).every((key) => key % 2 === 0)).toBe(true);
  expect(sent.slice(200).some((key) => key % 2 === 0)).toBe(false);
});

test("an SV's later tasks do not keep it from a task that another SV abandoned", async () => {
  const sent: number[] = [];
  const abandoned = Promise.withResolvers<void>();
  const perform = async (key: number) => {
    sent.push(key);
    if (key === 1) abandoned.resolve();
    if (key === 2) await abandoned.promise;
    return DONE;
  };
  // The second is for another SV, which is gone; the third, this SV's own, is in flight all the time.
  const { runner, host } = runnerOf(3, perform, { takes: 1, rank: (key) => (key === 1 ? 1 : 0) });
  runner.start();
  await host.advance(60_000);
  expect(sent).toEqual([0, 2, 1]);
});
