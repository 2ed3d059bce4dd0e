import { expect, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { Bell } from "./bell.ts";
import { startInterval } from "./interval.ts";

test("a wait ends with the ring, with its time and with its signal, and leaves no timer behind", async () => {
  const host = new VirtualHost();
  const bell = new Bell(host.timers);
  const rung = bell.wait({ milliseconds: 1000 });
  bell.ring();
  await rung;
  const timed = bell.wait({ milliseconds: 1000 });
  await host.advance(1000);
  await timed;
  const stop = new AbortController();
  const stopped = bell.wait({ signal: stop.signal, milliseconds: 1000 });
  stop.abort();
  await stopped;
  await bell.wait({ signal: stop.signal });
  expect(host.waiting).toBe(0);
});

test("until resolves with true once its condition holds, and with false when the wait is over", async () => {
  const host = new VirtualHost();
  const bell = new Bell(host.timers);
  let value = 1;
  expect(await bell.until(() => value === 1, {})).toBe(true);
  const reached = bell.until(() => value === 3, { milliseconds: 1000 });
  for (value = 2; value < 5; value++) bell.ring();
  expect(await reached).toBe(true);
  const late = bell.until(() => value === 9, { milliseconds: 1000 });
  await host.advance(1000);
  expect(await late).toBe(false);
});

test("an interval calls back until it is ended", async () => {
  const host = new VirtualHost();
  let calls = 0;
  const end = startInterval(() => calls++, 100, host.timers);
  await host.advance(350);
  end();
  await host.advance(350);
  expect(calls).toBe(3);
});
