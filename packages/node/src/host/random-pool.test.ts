import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { RandomPool } from "./random-pool.ts";

test("hands out no byte twice, in pieces of any length, and rarely asks its source", () => {
  const drawn: number[] = [];
  const pool = new RandomPool((length) => {
    const bytes = randomBytes(length);
    drawn.push(length);
    return bytes;
  });
  const taken = Array.from({ length: 2000 }, (_, i) => Buffer.from(pool.take(8 + (i % 9))).toString("hex"));
  expect(new Set(taken).size).toBe(2000);
  expect(taken.map((hex) => hex.length / 2)).toEqual(taken.map((_, i) => 8 + (i % 9)));
  expect(drawn.length).toBeLessThan(10);
});

test("takes long requests straight from its source, and hands out copies", () => {
  const drawn: number[] = [];
  const pool = new RandomPool((length) => {
    drawn.push(length);
    return new Uint8Array(length).fill(7);
  });
  expect(pool.take(32)).toEqual(new Uint8Array(32).fill(7));
  expect(drawn).toEqual([32]);
  const first = pool.take(4);
  first.fill(1);
  expect(pool.take(4)).toEqual(new Uint8Array(4).fill(7));
});
