import { expect, test } from "vitest";
import { VirtualHost } from "../../node/testing/virtual-host.ts";
import { CatchUpDeadline } from "./catch-up-deadline.ts";

test("the deadline moves on while a replica catches up with the log as it was", async () => {
  const host = new VirtualHost();
  const deadline = new CatchUpDeadline(100, 60_000, host.clock);
  for (const sequence of [0, 50, 100]) {
    expect(deadline.isPast([sequence, 100])).toBe(false);
    await host.advance(59_000);
  }
  expect(deadline.isPast([100, 100])).toBe(false);
  await host.advance(1000);
  expect(deadline.isPast([100, 100])).toBe(true);
});

test("entries that come after the start do not move the deadline on", async () => {
  const host = new VirtualHost();
  const deadline = new CatchUpDeadline(3, 60_000, host.clock);
  for (let sequence = 3; sequence < 9; sequence++) {
    expect(deadline.isPast([sequence, sequence])).toBe(false);
    await host.advance(10_000);
  }
  expect(deadline.isPast([10, 10])).toBe(true);
});
