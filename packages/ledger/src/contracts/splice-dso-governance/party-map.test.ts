import { expect, test } from "vitest";
import { testParty } from "../../../testing/sandbox.ts";
import { withoutParty, withParty } from "./party-map.ts";

const [alice, bob, carol] = [testParty("alice"), testParty("bob"), testParty("carol")];

test("a party is inserted at its place in the order", () => {
  const map = [
    [alice, 1],
    [carol, 3],
  ] as const;
  expect(withParty(map, bob, 2)).toEqual([
    [alice, 1],
    [bob, 2],
    [carol, 3],
  ]);
  expect(map).toHaveLength(2);
});

test("a party that is there gets the new value", () => {
  expect(withParty([[alice, 1]], alice, 2)).toEqual([[alice, 2]]);
});

test("a party is taken out, or was not there", () => {
  const map = [
    [alice, 1],
    [bob, 2],
  ] as const;
  expect(withoutParty(map, alice)).toEqual([[bob, 2]]);
  expect(withoutParty(map, carol)).toEqual(map);
});
