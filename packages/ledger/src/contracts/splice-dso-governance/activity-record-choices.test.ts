import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectOtherGroup,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import { addDuration, type Time } from "../../values/time.ts";
import { UnclaimedActivityRecord, UnclaimedReward } from "../splice-amulet/declarations/reward-coupons.ts";
import { onDsoRules } from "./confirmed-actions.ts";
import { DsoRules, UnallocatedUnclaimedActivityRecord } from "./declarations/dso-rules.ts";

const alice = testParty("alice");
const DEADLINE = "UnallocatedUnclaimedActivityRecord.expiresAt";

function voteTo(network: DsoFixture, amount: string, expiresAt: Time): ContractId {
  const value = { beneficiary: alice, amount: decimal(amount), reason: "good work", expiresAt };
  const dsoAction = { tag: "SRARC_CreateUnallocatedUnclaimedActivityRecord", value } as const;
  network.agree(onDsoRules(dsoAction));
  return network.only(UnallocatedUnclaimedActivityRecord).contractId;
}

function unclaimed(network: DsoFixture, amount: string, dso = network.dso): ContractId {
  return network.sandbox.create(UnclaimedReward, { dso, amount: decimal(amount) }, { actAs: [dso] });
}

function allocate(
  network: DsoFixture,
  record: ContractId,
  unclaimedRewardsToBurnCids: readonly ContractId[],
) {
  return network.bySv(
    "DsoRules_AllocateUnallocatedUnclaimedActivityRecord",
    {
      unallocatedUnclaimedActivityRecordCid: record,
      amuletRulesCid: network.amuletRules,
      unclaimedRewardsToBurnCids,
    },
    network.sv(1),
  );
}

function voted(amount = "10.0") {
  const network = new DsoFixture();
  const expiresAt = addDuration(network.sandbox.now, DAY);
  return { network, expiresAt, record: voteTo(network, amount, expiresAt) };
}

describe("a record that the SVs vote to a beneficiary", () => {
  test("waits for unclaimed rewards, which only the DSO sees", () => {
    const { network, expiresAt, record } = voted();
    expect(network.sandbox.payloadOf(UnallocatedUnclaimedActivityRecord, record)).toEqual({
      dso: network.dso,
      beneficiary: alice,
      amount: decimal("10.0"),
      reason: "good work",
      expiresAt,
    });
  });

  test("has to expire later than now", () => {
    const network = new DsoFixture();
    const { now } = network.sandbox;
    const label = "UnclaimedActivityRecord expires after current time";
    expectUnmet(label, () => voteTo(network, "10.0", now));
    expect(voteTo(network, "10.0", addDuration(now, MICROSECOND))).toMatch(/^00/);
  });

  test("has to be worth something", () => {
    const network = new DsoFixture();
    const vote = () => voteTo(network, "0.0", addDuration(network.sandbox.now, DAY));
    expect(rejectionOf(vote).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("cannot be made by a single SV", () => {
    const network = new DsoFixture();
    const expiresAt = addDuration(network.sandbox.now, DAY);
    const argument = { beneficiary: alice, amount: decimal("1.0"), reason: "mine", expiresAt };
    const choice = "DsoRules_CreateUnallocatedUnclaimedActivityRecord";
    expectUnauthorized(() =>
      network.sandbox.exercise(DsoRules, network.dsoRules, choice, argument, network.asSv()),
    );
  });
});

describe("finding unclaimed rewards for a record", () => {
  test("makes it mintable, and leaves what is over unclaimed", () => {
    const { network, expiresAt, record } = voted();
    const { dso, sandbox } = network;
    const found = [unclaimed(network, "4.0"), unclaimed(network, "6.0000000001")];
    const allocated = allocate(network, record, found);
    expect(network.only(UnclaimedReward)).toEqual({
      contractId: allocated.optUnclaimedRewardCid,
      payload: { dso, amount: decimal("0.0000000001") },
    });
    expect(sandbox.payloadOf(UnclaimedActivityRecord, allocated.unclaimedActivityRecordCid)).toEqual({
      dso,
      beneficiary: alice,
      amount: decimal("10.0"),
      reason: "good work",
      expiresAt,
    });
    for (const cid of [record, ...found]) expect(sandbox.isActive(cid)).toBe(false);
  });

  test("leaves nothing if they are just enough, and fails if they are not", () => {
    const { network, record } = voted();
    const almost = unclaimed(network, "9.9999999999");
    const { cause } = rejectionOf(() => allocate(network, record, [almost]));
    expect(cause).toMatch(/: insufficient unclaimed rewards: 0\.0000000001$/);
    const enough = [almost, unclaimed(network, "0.0000000001")];
    expect(allocate(network, record, enough).optUnclaimedRewardCid).toBeNull();
    expect(network.sandbox.active(UnclaimedReward)).toEqual([]);
  });

  test("takes the DSO's only, and each once", () => {
    const { network, record } = voted();
    const sv = network.sv(1);
    const own = unclaimed(network, "10.0", sv);
    expectOtherGroup("UnclaimedReward", () => allocate(network, record, [own]));
    const half = unclaimed(network, "5.0");
    expect(rejectionOf(() => allocate(network, record, [half, half])).code).toBe("CONTRACT_NOT_ACTIVE");
  });

  test("is possible until the record expires, and from then on the record can only be removed", () => {
    const { network, expiresAt, record } = voted();
    const { sandbox } = network;
    const remove = () =>
      network.bySv("DsoRules_ExpireUnallocatedUnclaimedActivityRecord", {
        unallocatedUnclaimedActivityRecordCid: record,
      });
    const enough = [unclaimed(network, "10.0")];
    sandbox.now = addDuration(expiresAt, -MICROSECOND);
    expectTooEarly(DEADLINE, remove);
    sandbox.now = expiresAt;
    expectTooLate(DEADLINE, () => allocate(network, record, enough));
    expect(remove()).toEqual({});
    expect(sandbox.isActive(record)).toBe(false);
    expect(network.only(UnclaimedReward).payload.amount).toBe(decimal("10.0"));
  });
});

test("a record that was not minted in time is unclaimed again, and not a moment earlier", () => {
  const { network, expiresAt, record } = voted();
  const { sandbox, dso } = network;
  const { unclaimedActivityRecordCid } = allocate(network, record, [unclaimed(network, "10.0")]);
  const expire = () => network.bySv("DsoRules_ExpireUnclaimedActivityRecord", { unclaimedActivityRecordCid });
  sandbox.now = addDuration(expiresAt, -MICROSECOND);
  expectTooEarly("UnclaimedActivityRecord.expiresAt", expire);
  sandbox.now = expiresAt;
  const { unclaimedRewardCid } = expire();
  expect(sandbox.payloadOf(UnclaimedReward, unclaimedRewardCid)).toEqual({ dso, amount: decimal("10.0") });
  expect(sandbox.active(UnclaimedActivityRecord)).toEqual([]);
});
