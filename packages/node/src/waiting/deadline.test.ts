import { getEventListeners } from "node:events";
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

test("a deadline aborts with the signals it was given, also with one that has aborted", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const given = { timers: host.timers, signals: [undefined, stop.signal] };
  const deadline = startDeadline(100, given);
  stop.abort(new Error("closed"));
  expect(deadline.signal.reason).toEqual(new Error("closed"));
  expect(startDeadline(100, given).signal.reason).toEqual(new Error("closed"));
  expect(deadline.isPast()).toBe(false);
  await host.advance(100);
  expect([deadline.isPast(), deadline.signal.reason]).toEqual([true, new Error("closed")]);
});

test("a deadline that is cleared aborts no more, and listens to no signal, as one that is past", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const listeners = () => getEventListeners(stop.signal, "abort").length;
  const given = { timers: host.timers, signals: [stop.signal] };
  const [cleared, past] = [startDeadline(100, given), startDeadline(100, given)];
  expect(listeners()).toBe(2);
  cleared.clear();
  expect(listeners()).toBe(1);
  await host.advance(100);
  expect([cleared.signal.aborted, past.signal.aborted, listeners()]).toEqual([false, true, 0]);
  stop.abort();
  expect(cleared.signal.aborted).toBe(false);
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
