/** Longer logs and more terms than the quick search has. */
import { expect, test } from "vitest";
import { namesOf, report } from "./report.ts";
import { FORK, searchWorld } from "./search-world.ts";

const rules = {
  ...{ terms: 2, places: 4, threshold: null, neededToClear: 3 },
  ...{ keepsToTerm: true, liarAppends: false },
};
const bounds = { maxStates: 1_000_000 };

test("with eight entries no participants fork, and no acknowledged entry is lost", () => {
  const explored = searchWorld(rules, bounds);
  report("a quorum of 3 of 4 SVs, eight entries", explored);
  expect(namesOf(explored)).toEqual([]);
});

test("with a server that changes twice no participants fork, and no acknowledged entry is lost", () => {
  const explored = searchWorld({ ...rules, terms: 3, places: 2 }, bounds);
  report("a quorum of 3 of 4 SVs, three terms", explored);
  expect(namesOf(explored)).toEqual([]);
});

test("an SV that copied entries of an earlier term after its statement would make participants fork", () => {
  const late = { ...rules, places: 2, keepsToTerm: false };
  const explored = searchWorld(late, { ...bounds, until: [FORK] });
  report("SVs copy entries of a former server after a statement", explored);
  expect(namesOf(explored)).toContain(FORK);
});
