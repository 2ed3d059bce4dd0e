import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { expectUnauthorized, GENERAL_ERROR, rejectionOf } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";

const alice = testParty("alice");

function submissions(network: SandboxNetwork, actAs: readonly PartyId[]) {
  const { sandbox, amuletRules } = network;
  const { configSchedule } = sandbox.payloadOf(AmuletRules, amuletRules);
  const item = { _1: sandbox.now, _2: configSchedule.initialValue };
  const as = { actAs, disclose: network.disclosures() };
  const fees = {
    context: network.transferContext(),
    sender: alice,
    outputs: [],
    expectedDso: network.dso,
  };
  return {
    AmuletRules_ComputeFees: () =>
      sandbox.exercise(AmuletRules, amuletRules, "AmuletRules_ComputeFees", fees, as),
    AmuletRules_AddFutureAmuletConfigSchedule: () =>
      sandbox.exercise(
        AmuletRules,
        amuletRules,
        "AmuletRules_AddFutureAmuletConfigSchedule",
        { newScheduleItem: item },
        as,
      ),
    AmuletRules_RemoveFutureAmuletConfigSchedule: () =>
      sandbox.exercise(
        AmuletRules,
        amuletRules,
        "AmuletRules_RemoveFutureAmuletConfigSchedule",
        { scheduleTime: sandbox.now },
        as,
      ),
    AmuletRules_UpdateFutureAmuletConfigSchedule: () =>
      sandbox.exercise(
        AmuletRules,
        amuletRules,
        "AmuletRules_UpdateFutureAmuletConfigSchedule",
        { scheduleItem: item },
        as,
      ),
  };
}

describe("a retired choice of AmuletRules", () => {
  test.each([
    ["AmuletRules_ComputeFees", "0.1.17"],
    ["AmuletRules_AddFutureAmuletConfigSchedule", "0.1.12"],
    ["AmuletRules_RemoveFutureAmuletConfigSchedule", "0.1.12"],
    ["AmuletRules_UpdateFutureAmuletConfigSchedule", "0.1.12"],
  ] as const)("%s always aborts, and leaves the rules as they are", (choice, version) => {
    const network = new SandboxNetwork();
    const rules = network.amuletRules;
    const controller = choice === "AmuletRules_ComputeFees" ? alice : network.dso;
    expect(rejectionOf(submissions(network, [controller])[choice]).cause).toBe(
      `${GENERAL_ERROR}Choice "${choice}" is no longer supported since "splice-amulet"-"${version}"`,
    );
    expect(network.amuletRules).toBe(rules);
    expectUnauthorized(submissions(network, [testParty("stranger")])[choice]);
  });
});
