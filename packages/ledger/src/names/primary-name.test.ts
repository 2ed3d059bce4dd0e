import { describe, expect, test } from "vitest";
import { findLatestPrimary, isPrimaryEntry } from "./primary-name.ts";

const primary = { dso: "DSO", user: "alice", name: "alice.unverified.cns", expiresAt: 100n };
const payload = { dso: "DSO", user: "alice", name: "alice.unverified.cns" };

describe("a PrimaryName counts", () => {
  test.each([0n, 99n])("for an entry of its name that was made before its expiry, at %s", (createdAt) => {
    expect(isPrimaryEntry(primary, { payload, createdAt })).toBe(true);
  });
});

describe("a PrimaryName does not count", () => {
  test.each([100n, 101n])("for an entry that was made at its expiry or later, at %s", (createdAt) => {
    expect(isPrimaryEntry(primary, { payload, createdAt })).toBe(false);
  });

  test.each([
    ["of another party", { user: "bob" }],
    ["of another name", { name: "bob.unverified.cns" }],
    ["of another DSO", { dso: "another" }],
  ])("for an entry %s", (_, change) => {
    expect(isPrimaryEntry(primary, { payload: { ...payload, ...change }, createdAt: 0n })).toBe(false);
  });
});

test("the PrimaryName that was made last counts, and of one time the one with the higher id", () => {
  const made = (contractId: string, createdAt: bigint) => ({ contractId, createdAt });
  const primaries = [made("00b", 2n), made("00c", 2n), made("00a", 2n), made("00f", 1n)];
  expect(findLatestPrimary(primaries)).toEqual(made("00c", 2n));
  expect(findLatestPrimary([...primaries].reverse())).toEqual(made("00c", 2n));
  expect(findLatestPrimary([])).toBeUndefined();
});
