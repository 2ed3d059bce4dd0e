import { expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { dsoRules } from "./dso-rules.ts";

const network = new DsoFixture({ svCount: 2 });
const { payload } = network.only(DsoRules);

test("the DSO signs the rules and the SVs see them only by reading as the DSO", () => {
  expect(dsoRules.signatories(payload)).toEqual([network.dso]);
  expect(dsoRules.observers(payload)).toEqual([]);
  const argument = {
    confirmer: network.sv(0),
    action: { tag: "ExtActionRequiringConformation", value: { dummyUnitField: {} } },
  } as const;
  const confirm = (readAs: readonly (typeof network.dso)[]) =>
    network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_ConfirmAction", argument, {
      actAs: [network.sv(0)],
      readAs,
    });
  expectNotFound(() => confirm([]));
  expect(network.sandbox.isActive(confirm([network.dso]).confirmation)).toBe(true);
});

test("only the DSO creates DsoRules", () => {
  expectUnauthorized(() => network.sandbox.create(DsoRules, payload, { actAs: [testParty("mallory")] }));
  expectUnauthorized(() => network.sandbox.create(DsoRules, payload, { actAs: network.svs }));
});

test.each([
  [1n, true],
  [0n, false],
  [-1n, false],
])("merging from %i unclaimed rewards on is a configuration: %s", (numUnclaimedRewardsThreshold, isValid) => {
  const config = { ...payload.config, numUnclaimedRewardsThreshold };
  const create = () =>
    new DsoFixture({ svCount: 1 }).sandbox.create(DsoRules, { ...payload, config }, network.asDso());
  if (isValid) expect(create()).toMatch(/^00/);
  else expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
});
