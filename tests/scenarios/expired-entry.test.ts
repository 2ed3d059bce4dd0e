/** An entry whose time has passed is archived by either of its signatories: its owner, or the DSO through an SV. */
import { describe, expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { EXPIRES, registered } from "./registered-name.ts";
import { accepted, rejection } from "./scenario.ts";

const JUST_BEFORE = time("2026-05-02T11:59:59.999999Z");
const JUST_AFTER = time("2026-05-02T12:00:00.000001Z");

describe("an entry is expired", () => {
  const moments = [
    ["not a microsecond before its time", JUST_BEFORE, false],
    ["not in the very microsecond", EXPIRES, false],
    ["but one microsecond later", JUST_AFTER, true],
  ] as const;

  test.each(moments)("by its owner, %s", (_when, moment, isExpired) => {
    const { scenario, entry } = registered();
    const outcome = scenario.at(moment, () => scenario.alice.expireEntry(entry));
    if (!isExpired) expect(rejection(outcome).cause).toContain("Contract expired");
    expect(scenario.count(AnsEntry)).toBe(isExpired ? 0 : 1);
  });

  test.each(moments)("by an SV, %s", (_when, moment, isExpired) => {
    const { scenario, entry } = registered();
    const outcome = scenario.at(moment, () => scenario.sv().expireEntry(entry));
    if (!isExpired) expect(rejection(outcome).cause).toContain("Contract expired");
    expect(scenario.count(AnsEntry)).toBe(isExpired ? 0 : 1);
  });

  test("never by any other party", () => {
    const { scenario, entry } = registered();
    const { alice, bob, network } = scenario;
    network.advanceTo(time("2026-06-01T00:00:00Z"));
    expect(rejection(bob.expireEntry(entry)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    const asActor = (actor: typeof alice.party, actAs: readonly (typeof alice.party)[]) => {
      const commands = [exerciseCommand(AnsEntry, entry, "AnsEntry_Expire", { actor })];
      return network.submit(alice.member, { actAs, commands });
    };
    expect(rejection(asActor(bob.party, [alice.party, bob.party])).cause).toContain("is a signatory");
    expect(rejection(asActor(alice.party, [alice.member.party, bob.party])).code).toBe(
      "LOCAL_VERDICT_INACTIVE_CONTRACTS",
    );
    expect(rejection(asActor(network.dso, [alice.party])).code).toBe("DAML_AUTHORIZATION_ERROR");
    expect(scenario.count(AnsEntry)).toBe(1);
    accepted(alice.expireEntry(entry));
    expect(rejection(scenario.sv().expireEntry(entry)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
  });
});
