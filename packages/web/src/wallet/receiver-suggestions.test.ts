import { expect, test } from "vitest";
import { listSuggestions } from "./receiver-suggestions.ts";

const ENTRIES = [
  { name: "bob.unverified.cns", user: "bob::1220" },
  { name: "bobby.unverified.cns", user: "bobby::1220" },
  { name: "boat.unverified.cns", user: "alice::1220" },
];
const valuesFor = (prefix: string, hiddenParties: readonly string[] = []) =>
  listSuggestions(ENTRIES, { prefix, hiddenParties }).map(({ value }) => value);

test("names that begin with the typed text are suggested, without the user's own", () => {
  expect(valuesFor("bo", ["alice::1220"])).toEqual(["bob.unverified.cns", "bobby.unverified.cns"]);
});

test("suggestions for an earlier text are left out while the next ones are on their way", () => {
  expect(valuesFor("bobb")).toEqual(["bobby.unverified.cns"]);
});

test("a name that is typed whole is not suggested again", () => {
  expect(valuesFor("bobby.unverified.cns")).toEqual([]);
});
