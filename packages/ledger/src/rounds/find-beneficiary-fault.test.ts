import { expect, test } from "vitest";
import { testParty } from "../../testing/sandbox.ts";
import { findBeneficiaryFault } from "./find-beneficiary-fault.ts";

const alice = testParty("alice");
const bob = testParty("bob");

test.each([
  ["none", [], 0n],
  ["less than the SV's weight", [[alice, 3000n]], 10_000n],
  [
    "exactly the SV's weight",
    [
      [alice, 3000n],
      [bob, 7000n],
    ],
    10_000n,
  ],
  ["any weights before the network is founded", [[alice, 30_000n]], null],
] as const)("beneficiaries with %s are right", (_, shares, weight) => {
  const beneficiaries = shares.map(([beneficiary, share]) => ({ beneficiary, weight: share }));
  expect(findBeneficiaryFault(beneficiaries, weight)).toBeNull();
});

test.each([
  [
    "one basis point too much",
    [
      [alice, 3000n],
      [bob, 7001n],
    ],
    "add up to 10001, but the SV's reward weight is 10000",
  ],
  [
    "a party named twice",
    [
      [alice, 1n],
      [bob, 1n],
      [alice, 1n],
    ],
    `${alice} is named twice`,
  ],
  [
    "no weight",
    [
      [alice, 1n],
      [bob, 0n],
    ],
    `${bob} has weight 0`,
  ],
  ["less than no weight", [[alice, -1n]], `${alice} has weight -1`],
] as const)("beneficiaries with %s are refused", (_, shares, fault) => {
  const beneficiaries = shares.map(([beneficiary, weight]) => ({ beneficiary, weight }));
  expect(findBeneficiaryFault(beneficiaries, 10_000n)).toContain(fault);
});
