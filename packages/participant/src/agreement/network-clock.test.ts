/** The participant's idea of the network's time. */

import type { Time } from "@callsign/ledger";
import { expect, test } from "vitest";
import { NetworkClock } from "./network-clock.ts";

const at = (seconds: number) => (BigInt(seconds) * 1_000_000n) as Time;

function clock(sources: number) {
  const machine = { milliseconds: 0 };
  return { machine, clock: new NetworkClock(sources, () => machine.milliseconds) };
}

test("there is no time before the first answer", () => {
  expect(clock(4).clock.now(3)).toBeUndefined();
});

test("the time is the answer plus the time since", () => {
  const { machine, clock: one } = clock(1);
  one.hear(0, at(100));
  machine.milliseconds += 1500;
  expect(one.now(1)).toBe(at(100) + 1_500_000n);
});

test.each([at(0), at(1_000_000)])("one false answer of four changes nothing", (lie) => {
  const { clock: four } = clock(4);
  four.hear(0, lie);
  for (const source of [1, 2, 3]) four.hear(source, at(100 + source));
  const now = four.now(3) ?? 0n;
  expect(now >= at(101) && now <= at(103)).toBe(true);
});

test("a clock that was moved is known as soon as enough say so", () => {
  const { machine, clock: four } = clock(4);
  for (const source of [0, 1, 2, 3]) four.hear(source, at(100));
  machine.milliseconds += 2000;
  for (const source of [1, 2, 3]) four.hear(source, at(9_000_000));
  expect(four.now(3)).toBe(at(9_000_000));
});
