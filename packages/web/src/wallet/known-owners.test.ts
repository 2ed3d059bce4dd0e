import { expect, test } from "vitest";
import { parseKnownOwners, withOwner } from "./known-owners.ts";

test("the last owner of a name replaces the one before, and comes first", () => {
  const known = withOwner(withOwner(withOwner([], "a", "1"), "b", "2"), "a", "3");
  expect(known).toEqual([
    ["a", "3"],
    ["b", "2"],
  ]);
});

test("at most 200 names are kept, the newest of them", () => {
  const names = Array.from({ length: 250 }, (_, index) => `n${index}`);
  const known = names.reduce<ReturnType<typeof parseKnownOwners>>(
    (list, name) => withOwner(list, name, "p"),
    [],
  );
  expect(known).toHaveLength(200);
  expect(known[0]?.[0]).toBe("n249");
  expect(known.at(-1)?.[0]).toBe("n50");
});

test.each([null, "", "{", "{}", "7", '[["a"],["b",1],7]'])("%j is read as nothing known", (text) => {
  expect(parseKnownOwners(text)).toEqual([]);
});

test("what is kept is read again", () => {
  const known = withOwner([], "a", "1");
  expect(parseKnownOwners(JSON.stringify(known))).toEqual(known);
});
