import { expect, test } from "vitest";
import { RecentResults } from "./recent-results.ts";

function rememberMany(results: RecentResults<object, number>, count: number): readonly object[] {
  const given = Array.from({ length: count }, () => ({}));
  for (const [i, each] of given.entries()) results.remember(each, i);
  return given;
}

test("finds the last 128 results, and nothing for an object that was not given", () => {
  const results = new RecentResults<object, number>();
  const given = rememberMany(results, 1000);
  const found = given.map((each) => results.find(each));
  expect(found.slice(-128)).toEqual(Array.from({ length: 128 }, (_, i) => 872 + i));
  expect(results.find({})).toBeUndefined();
});

test("forgets a result behind 256 others", () => {
  const results = new RecentResults<object, number>();
  const [first = {}] = rememberMany(results, 257);
  expect(results.find(first)).toBeUndefined();
});

test("the last result for an object counts", () => {
  const results = new RecentResults<object, number>();
  const given = {};
  results.remember(given, 1);
  rememberMany(results, 130);
  results.remember(given, 2);
  expect(results.find(given)).toBe(2);
});
