import { completeName } from "@callsign/ledger";
import { expect, test } from "vitest";
import { findLabelProblem, labelOf, suffixOf } from "./name-label.ts";

const SUFFIX = suffixOf("CNS");

test("the suffix has the acronym in lower case", () => {
  expect(SUFFIX).toBe(".unverified.cns");
});

test("a full name is taken for its label", () => {
  expect(labelOf(" alice.unverified.cns ", SUFFIX)).toBe("alice");
  expect(labelOf("alice", SUFFIX)).toBe("alice");
  expect(labelOf("alice.unverified.ans", SUFFIX)).toBe("alice.unverified.ans");
});

test.each([
  ["al.ice", { kind: "dot" }],
  ["Alice", { kind: "capitals" }],
  ["al ice", { kind: "character", character: " " }],
  ["ali😀ce", { kind: "character", character: "😀" }],
  ["a".repeat(46), { kind: "too-long", longest: 45 }],
  ["alice", null],
  ["a".repeat(45), null],
])("%j: %j", (label, problem) => {
  expect(findLabelProblem(label, SUFFIX)).toEqual(problem);
});

test.each(["a", "_", "-", "0", "a.b", "A", "ä", "a b", "a".repeat(45), "a".repeat(46), "a<b", "\u0000"])(
  "the page and the ledger agree on %j",
  (label) => {
    expect(findLabelProblem(label, SUFFIX) === null).toBe(completeName(label).ok);
  },
);
