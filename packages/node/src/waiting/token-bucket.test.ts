import { expect, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { TokenBucket } from "./token-bucket.ts";

test("a token bucket gives its capacity at once, then as much as time refills, and never more than its capacity", async () => {
  const host = new VirtualHost();
  const bucket = new TokenBucket({ capacity: 3, perSecond: 2, ...host.clock });
  const takeAll = () => {
    let taken = 0;
    while (bucket.take()) taken++;
    return taken;
  };
  expect(takeAll()).toBe(3);
  await host.advance(499);
  expect(takeAll()).toBe(0);
  await host.advance(1);
  expect(takeAll()).toBe(1);
  await host.advance(60_000);
  expect(takeAll()).toBe(3);
});

test("to ask whether a bucket is empty takes nothing from it", async () => {
  const host = new VirtualHost();
  const bucket = new TokenBucket({ capacity: 1, perSecond: 1, ...host.clock });
  expect([bucket.isEmpty(), bucket.isEmpty(), bucket.take(), bucket.isEmpty()]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  await host.advance(1000);
  expect([bucket.isEmpty(), bucket.take()]).toEqual([false, true]);
});
