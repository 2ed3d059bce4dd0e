import { expect, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { startDeadline, withDeadline } from "./deadline.ts";

test("a deadline aborts its signal after its time with a TimeoutError", async () => {
  const host = new VirtualHost();
  const deadline = startDeadline(100, host);
  await host.advance(99);
  expect([deadline.signal.aborted, deadline.isPast()]).toEqual([false, false]);
  await host.advance(1);
  expect([deadline.signal.aborted, deadline.isPast()]).toEqual([true, true]);
  expect(deadline.signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a deadline aborts with the signals it was given, and not by time once cleared", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const deadline = startDeadline(100, { timers: host.timers, signals: [undefined, stop.signal] });
  deadline.clear();
  await host.advance(200);
  expect(deadline.signal.aborted).toBe(false);
  stop.abort(new Error("closed"));
  expect(deadline.signal.reason).toEqual(new Error("closed"));
  expect(deadline.isPast()).toBe(false);
});

test("a deadline that is restarted counts from then on, with its new length", async () => {
  const host = new VirtualHost();
  const deadline = startDeadline(100, host);
  await host.advance(99);
  deadline.restart(50);
  await host.advance(49);
  expect(deadline.isPast()).toBe(false);
  await host.advance(1);
  expect(deadline.signal.reason).toMatchObject({ message: "the deadline of 50 ms is past" });
  deadline.restart(50);
  deadline.clear();
  expect([deadline.isPast(), host.waiting]).toEqual([true, 0]);
});

test("withDeadline gives the work's outcome, or rejects once its time is over", async () => {
  const host = new VirtualHost();
  expect(await withDeadline(Promise.resolve(1), 100, host.timers)).toBe(1);
  expect(host.waiting).toBe(0);
  const late = withDeadline(new Promise(() => undefined), 100, host.timers);
  const outcome = expect(late).rejects.toThrow("longer than 100 ms");
  await host.advance(100);
  await outcome;
});
