import { expect, test } from "vitest";
import { readReceiver } from "./read-receiver.ts";

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
  [PARTY.slice(0, -1), { kind: "part-of-party" }],
])("%j", (typed, receiver) => {
  expect(readReceiver(typed, SUFFIX)).toEqual(receiver);
});
