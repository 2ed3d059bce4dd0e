import { expect, test } from "vitest";
import { VirtualHost } from "../../node/testing/virtual-host.ts";
import { returnMemory } from "./return-memory.ts";

const LOOK = 10_000;
const MUCH = 50_000_000;

function start() {
  const host = new VirtualHost();
  const engine = { collections: 0, free: MUCH, busy: 0.9 };
  const stop = returnMemory(
    {
      collect: () => {
        engine.collections++;
      },
      freeBytes: () => engine.free,
      busyShare: () => engine.busy,
    },
    host.timers,
  );
  return { host, engine, stop };
}

test("V8 is asked to collect once the network has been quiet for a while, not under load", async () => {
  const { host, engine, stop } = start();
  await host.advance(5 * LOOK);
  engine.busy = 0.01;
  await host.advance(LOOK);
  expect(engine.collections).toBe(0);
  await host.advance(LOOK);
  expect(engine.collections).toBe(1);
  stop();
  expect(host.waiting).toBe(0);
});

test("collections that free nothing are tried three times, and again only minutes later", async () => {
  const { host, engine, stop } = start();
  engine.busy = 0;
  await host.advance(4 * LOOK);
  expect(engine.collections).toBe(3);
  await host.advance(29 * LOOK);
  expect(engine.collections).toBe(3);
  await host.advance(LOOK);
  expect(engine.collections).toBe(4);
  stop();
});

test("V8 is not asked to collect while little of its memory is free", async () => {
  const { host, engine, stop } = start();
  engine.busy = 0;
  engine.free = 1_000_000;
  await host.advance(100 * LOOK);
  expect(engine.collections).toBe(0);
  stop();
});
