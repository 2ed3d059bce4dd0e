import { expect, test } from "vitest";
import { testParty } from "../../../../testing/sandbox.ts";
import { InterpretationFailure } from "../../../engine/failure.ts";
import { decimal } from "../../../values/decimal.ts";
import { namedBeneficiaries } from "./named-beneficiaries.ts";

const [alice, bob, carol] = [testParty("alice"), testParty("bob"), testParty("carol")];

function metadata(named: string | null, weights: string | null) {
  const prefix = "amulet.splice.lfdecentralizedtrust.org/app-reward-beneficiar";
  const values: [string, string][] = [["unrelated", "x"]];
  if (named !== null) values.push([`${prefix}ies`, named]);
  if (weights !== null) values.push([`${prefix}y-weights`, weights]);
  return { values };
}

test("metadata without the keys names no beneficiaries", () => {
  expect(namedBeneficiaries(metadata(null, null))).toBeNull();
});

test.each([
  [`${alice}`, "1.0", [[alice, "1.0"]]],
  [
    `${alice},${bob},${alice}`,
    "0.5,0.5,0.5",
    [
      [alice, "0.5"],
      [bob, "0.5"],
      [alice, "0.5"],
    ],
  ],
  [
    `${alice},${bob},${carol}`,
    "0.0000000001,1,0.0",
    [
      [alice, "0.0000000001"],
      [bob, "1.0"],
      [carol, "0.0"],
    ],
  ],
] as const)("%s are named with the weights %s", (named, weights, expected) => {
  expect(namedBeneficiaries(metadata(named, weights))).toEqual(
    expected.map(([beneficiary, weight]) => ({ beneficiary, weight: decimal(weight) })),
  );
});

test.each([
  [
    `${alice}`,
    null,
    `Expected both beneficiaries and weights to be present, but got: (Some "${alice}",None)`,
  ],
  [null, "1.0", 'Expected both beneficiaries and weights to be present, but got: (None,Some "1.0")'],
  [`${alice},${bob}`, "1.0", "Number of beneficiaries (2) does not match number of weights (1)"],
  [`${alice}`, "0.5,0.5", "Number of beneficiaries (1) does not match number of weights (2)"],
  ["nobody", "1.0", 'Failed to parse beneficiaries: "nobody"'],
  ["", "", 'Failed to parse beneficiaries: ""'],
  [`${alice}`, "much", 'Failed to parse weights: "much"'],
  [`${alice}`, "0.00000000001", 'Failed to parse weights: "0.00000000001"'],
])("%s with the weights %s are refused", (named, weights, message) => {
  try {
    namedBeneficiaries(metadata(named, weights));
  } catch (error) {
    if (!(error instanceof InterpretationFailure)) throw error;
    expect(error.error.cause).toContain(message.slice(0, 80));
    expect(error.error.code).toBe("DAML_FAILURE");
    return;
  }
  expect.fail("they were accepted");
});
