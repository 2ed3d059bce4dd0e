/**
 * All states of a small world: four SVs of which one lies, five entries and more in two histories, a server that loses the
 * log's tail, and restores. Agreement, clearing of terms, standing and restore are the product's own.
 */
import { expect, test } from "vitest";
import { namesOf, report } from "./report.ts";
import { LOST_BY_RESTORE } from "./restore-steps.ts";
import { STOLEN, searchTime } from "./search-time.ts";
import { CLEARED, FORK, LOST, searchWorld } from "./search-world.ts";

const rules = {
  ...{ terms: 2, places: 3, threshold: null, neededToClear: 3 },
  ...{ keepsToTerm: true, liarAppends: false },
};
const bounds = { maxStates: 200_000 };

test("with a quorum no participants fork, and no acknowledged entry is lost", () => {
  const explored = searchWorld(rules, bounds);
  report("a quorum of 3 of 4 SVs", explored);
  expect(namesOf(explored)).toEqual([]);
  expect(explored.states).toBeGreaterThan(10_000);
});

test("if f + 1 SVs are enough for participants, the search finds a fork and a lost acknowledgement", () => {
  const explored = searchWorld({ ...rules, threshold: 2 }, { ...bounds, until: [FORK, LOST_BY_RESTORE] });
  report("2 of 4 SVs are enough for an item", explored);
  expect(namesOf(explored)).toEqual(expect.arrayContaining([FORK, LOST_BY_RESTORE]));
});

test("if f + 1 SVs are enough to clear a term, the search finds a lost acknowledgement", () => {
  const explored = searchWorld({ ...rules, neededToClear: 2 }, { ...bounds, until: [CLEARED, LOST] });
  report("2 of 4 SVs are enough to clear a term", explored);
  expect(namesOf(explored)).toEqual(expect.arrayContaining([CLEARED]));
});

test("with one liar the record time is never further ahead of the right clocks than the tolerance, with two it is", () => {
  const explored = searchTime({ entries: 5, firstLiar: 3 });
  report("stamps of 3 honest SVs and one liar", explored);
  expect(namesOf(explored)).toEqual([]);
  const stolen = searchTime({ entries: 2, firstLiar: 2 });
  report("stamps of 2 honest SVs and two liars", stolen);
  expect(namesOf(stolen)).toEqual([STOLEN]);
});
