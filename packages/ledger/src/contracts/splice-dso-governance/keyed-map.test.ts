import { expect, test } from "vitest";
import { testParty } from "../../../testing/sandbox.ts";
import { withKey, withoutKey } from "./keyed-map.ts";

const [alice, bob, carol] = [testParty("alice"), testParty("bob"), testParty("carol")];

test("a party is inserted at its place in the order", () => {
  const map = [
    [alice, 1],
    [carol, 3],
  ] as const;
  expect(withKey(map, bob, 2)).toEqual([
    [alice, 1],
    [bob, 2],
    [carol, 3],
  ]);
  expect(map).toHaveLength(2);
});

test("a party that is in the map gets the new value", () => {
  expect(withKey([[alice, 1]], alice, 2)).toEqual([[alice, 2]]);
});

test("a party is taken out, and a map without it stays as it is", () => {
  const map = [
    [alice, 1],
    [bob, 2],
  ] as const;
  expect(withoutKey(map, alice)).toEqual([[bob, 2]]);
  expect(withoutKey(map, carol)).toEqual(map);
});
