import { spawnSync } from "node:child_process";
import { join } from "node:path";
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

test("a collection starts after the network has been quiet for 20 seconds, not under load", async () => {
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

test("after three collections that free nothing the next one starts five minutes later", async () => {
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

test("one collection starts after the start, and no other one while little of the heap is free", async () => {
  const { host, engine, stop } = start();
  engine.busy = 0;
  engine.free = 1_000_000;
  await host.advance(2 * LOOK);
  expect(engine.collections).toBe(1);
  await host.advance(100 * LOOK);
  expect(engine.collections).toBe(1);
  engine.free = MUCH;
  await host.advance(LOOK);
  expect(engine.collections).toBe(2);
  stop();
});

test("a collection returns pages of V8's heap on which few objects are left", () => {
  const script = `
    import { findEngine } from ${JSON.stringify(join(import.meta.dirname, "return-memory.ts"))};
    const objects = Array.from({ length: 1_000_000 }, (_, i) => ({ numbers: [i, i, i, i] }));
    const kept = objects.filter((_, i) => i % 30 === 0);
    objects.length = 0;
    const { collect, freeBytes } = findEngine();
    collect();
    console.log(kept.length, freeBytes());
  `;
  const options = ["--expose-gc", "--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  const [kept, freeBytes] = stdout.split(" ").map(Number);
  expect(kept, stderr).toBe(33_334);
  expect(freeBytes).toBeLessThan(8_000_000);
});
