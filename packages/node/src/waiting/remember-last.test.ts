import { expect, test } from "vitest";
import { rememberLast } from "./remember-last.ts";

test("runs again only for another argument than the last", () => {
  const runs: bigint[] = [];
  const double = rememberLast((n: bigint) => {
    runs.push(n);
    return n * 2n;
  });
  expect([1n, 1n, 2n, 2n, 1n].map(double)).toEqual([2n, 2n, 4n, 4n, 2n]);
  expect(runs).toEqual([1n, 2n, 1n]);
});

test("an undefined argument counts as any other", () => {
  let runs = 0;
  const count = rememberLast((_argument: undefined) => ++runs);
  expect([count(undefined), count(undefined)]).toEqual([1, 1]);
});

test("a call that throws leaves the last result", () => {
  const runs: string[] = [];
  const read = rememberLast((text: string) => {
    runs.push(text);
    if (text === "bad") throw new Error("malformed");
    return text.length;
  });
  expect(read("good")).toBe(4);
  expect(() => read("bad")).toThrow("malformed");
  expect(() => read("bad")).toThrow("malformed");
  expect(read("good")).toBe(4);
  expect(runs).toEqual(["good", "bad", "bad"]);
});
