import { expect, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { nextTurn, sleep } from "./sleep.ts";

test("sleep resolves after its time and not before", async () => {
  const host = new VirtualHost();
  let isOver = false;
  const sleeping = sleep(1000, host).then(() => {
    isOver = true;
  });
  await host.advance(999);
  expect(isOver).toBe(false);
  await host.advance(1);
  await sleeping;
});

test("sleep resolves when its signal aborts, and leaves no timer behind", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const sleeping = sleep(1000, { timers: host.timers, signal: stop.signal });
  expect(host.waiting).toBe(1);
  stop.abort();
  await sleeping;
  expect(host.waiting).toBe(0);
  await sleep(1000, { timers: host.timers, signal: stop.signal });
});

test("nextTurn resolves with the next turn of the event loop", async () => {
  const host = new VirtualHost();
  const turn = nextTurn(host.timers);
  await host.advance(0);
  await turn;
});
