import { expect, test } from "vitest";
import { chooseReaders, describeRights } from "./use-readers.ts";

test("rights are named once, and parties to read as are those of acting and reading", () => {
  expect(
    describeRights([
      { kind: { CanActAs: { value: { party: "a::1" } } } },
      { kind: { CanActAs: { value: { party: "b::1" } } } },
      { kind: { CanReadAs: { value: { party: "c::1" } } } },
      { kind: { CanExecuteAs: { value: { party: "d::1" } } } },
      { kind: { ParticipantAdmin: { value: {} } } },
    ]),
  ).toEqual({
    rights: ["CanActAs", "CanReadAs", "CanExecuteAs", "ParticipantAdmin"],
    readsAs: ["a::1", "b::1", "c::1"],
  });
});

test("a party is read by its own user, else by the first that may, and parties with a user of their own come first", () => {
  const user = (id: string, party: string, readsAs: readonly string[]) => ({
    id,
    party,
    rights: [],
    readsAs,
  });
  expect(
    chooseReaders([
      user("admin", "", ["b::1", "a::1"]),
      user("alice", "a::1", ["a::1"]),
      user("bob", "x::1", ["b::1"]),
      user("carol", "c::1", ["c::1"]),
    ]),
  ).toEqual([
    { party: "a::1", user: "alice" },
    { party: "c::1", user: "carol" },
    { party: "b::1", user: "admin" },
  ]);
});
