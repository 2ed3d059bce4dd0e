import { expect, test } from "vitest";
import { looksLikePartyId, readReceiver } from "./read-receiver.ts";

const SUFFIX = ".unverified.cns";
const PARTY = `alice::1220${"ab".repeat(32)}`;

test.each([
  ["", { kind: "none" }],
  ["  ", { kind: "none" }],
  ["alice", { kind: "name", name: "alice.unverified.cns" }],
  [" Alice ", { kind: "name", name: "alice.unverified.cns" }],
  ["alice.unverified.cns", { kind: "name", name: "alice.unverified.cns" }],
  ["dso.cns", { kind: "name", name: "dso.cns" }],
  [PARTY, { kind: "party", party: PARTY }],
])("%j", (typed, receiver) => {
  expect(readReceiver(typed, SUFFIX)).toEqual(receiver);
});

test("a party's id has a hint and a whole fingerprint", () => {
  expect(looksLikePartyId(PARTY)).toBe(true);
  expect(looksLikePartyId(PARTY.slice(0, -1))).toBe(false);
  expect(looksLikePartyId("alice::")).toBe(false);
  expect(looksLikePartyId(`::1220${"ab".repeat(32)}`)).toBe(false);
});
