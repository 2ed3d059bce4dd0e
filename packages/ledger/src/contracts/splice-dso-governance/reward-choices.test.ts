import { describe, expect, test } from "vitest";
import { DsoFixture, TICK } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { SvRounds } from "../../../testing/sv-rounds.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import { MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { SvRewardCoupon } from "../splice-amulet/declarations/reward-coupons.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { SvRewardState } from "./declarations/sv-state.ts";

const [alice, bob] = [testParty("alice"), testParty("bob")];
const share = (beneficiary: PartyId, weight: bigint) => ({ _1: beneficiary, _2: weight });

function stateOf(network: DsoFixture, name: string) {
  return new SvRounds(network).rewardState(name);
}

/** The first SV receives round 0, unless told otherwise. */
function receiving(
  network: DsoFixture,
  given: { round?: bigint; shares?: readonly ReturnType<typeof share>[] } = {},
) {
  return {
    openRoundCid: network.openRound(given.round ?? 0n).contractId,
    rewardStateCid: stateOf(network, "SV-1").contractId,
    beneficiaries: given.shares ?? [share(network.sv(0), 10_000n)],
  };
}

const receive = (network: DsoFixture, given: Parameters<typeof receiving>[1] = {}, sv?: PartyId) =>
  network.bySv("DsoRules_ReceiveSvRewardCoupon", receiving(network, given), sv);

describe("an SV that receives its rewards of a round", () => {
  test("gives out coupons for its whole weight, and its state counts them", () => {
    const network = new DsoFixture();
    const { dso, sandbox } = network;
    const sv = network.sv(0);
    const received = receive(network, { shares: [share(sv, 9_000n), share(alice, 999n), share(bob, 1n)] });
    const round = { number: 0n };
    expect(received.svRewardCoupons.map((cid) => sandbox.payloadOf(SvRewardCoupon, cid))).toEqual([
      { dso, sv, beneficiary: sv, weight: 9_000n, round },
      { dso, sv, beneficiary: alice, weight: 999n, round },
      { dso, sv, beneficiary: bob, weight: 1n, round },
    ]);
    expect(sandbox.payloadOf(SvRewardState, received.svRewardState)).toEqual({
      dso,
      svName: "SV-1",
      state: { numRoundsMissed: 0n, numRoundsCollected: 1n, lastRoundCollected: round, numCouponsIssued: 3n },
    });
    expect(shapeOf(sandbox)).toEqual([
      "DsoRules_ReceiveSvRewardCoupon DsoRules",
      "Archive SvRewardState",
      "create SvRewardState",
      "create SvRewardCoupon",
      "create SvRewardCoupon",
      "create SvRewardCoupon",
    ]);
  });

  test("counts the rounds it missed", () => {
    const network = new DsoFixture();
    receive(network);
    for (let i = 0; i < 3; i++) network.advanceRounds();
    // Rounds 3 and 4 are open; 1, 2 and 3 are missed.
    receive(network, { round: 4n });
    expect(stateOf(network, "SV-1").payload.state).toEqual({
      numRoundsMissed: 3n,
      numRoundsCollected: 2n,
      lastRoundCollected: { number: 4n },
      numCouponsIssued: 2n,
    });
  });

  test("cannot before the round opens", () => {
    const network = new DsoFixture();
    const opensAt = addDuration(network.sandbox.now, TICK);
    network.sandbox.now = addDuration(opensAt, -MICROSECOND);
    expectUnmet("OpenRound is open", () => receive(network, { round: 2n }));
    network.sandbox.now = opensAt;
    expect(receive(network, { round: 2n }).svRewardCoupons).toHaveLength(1);
  });

  test("cannot for the last round again, nor for an older one", () => {
    const network = new DsoFixture();
    receive(network, { round: 1n });
    const label = (round: number) =>
      `Round Round {number = ${round}} is greater than the last round a reward has been received for ` +
      "Round {number = 1}";
    expectUnmet(label(1), () => receive(network, { round: 1n }));
    expectUnmet(label(0), () => receive(network, { round: 0n }));
  });

  test.each([
    ["less", [9_999n]],
    ["more", [10_000n, 1n]],
    ["nothing", []],
  ])("cannot give out %s than its weight", (_, weights) => {
    const network = new DsoFixture();
    const parties = [network.sv(0), alice];
    const shares = weights.map((weight, i) => share(parties[i] ?? alice, weight));
    expectUnmet("Total beneficiary weight matches SV operator weight", () => receive(network, { shares }));
  });

  test("cannot give two coupons to one beneficiary", () => {
    const network = new DsoFixture();
    const shares = [share(alice, 5_000n), share(bob, 1n), share(alice, 4_999n)];
    expectUnmet("At most one coupon per beneficiary", () => receive(network, { shares }));
  });

  test.each([0n, -1n])("cannot give a weight of %i", (weight) => {
    const network = new DsoFixture();
    const shares = [share(alice, 10_000n - weight), share(bob, weight)];
    expect(rejectionOf(() => receive(network, { shares })).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("cannot use another SV's state, nor one that it signed itself", () => {
    const network = new DsoFixture();
    const rewardStateCid = stateOf(network, "SV-2").contractId;
    const choice = "DsoRules_ReceiveSvRewardCoupon";
    expectOtherGroup("SvRewardState", () => network.bySv(choice, { ...receiving(network), rewardStateCid }));
    const { cause } = rejectionOf(() => network.bySv(choice, { ...receiving(network), rewardStateCid }));
    expect(cause).toContain(
      `expected ForSv {dso = '${network.dso}', svName = "SV-1"}, got ForSv {dso = '${network.dso}', svName = "SV-2"}`,
    );
    const sv = network.sv(0);
    const { payload } = stateOf(network, "SV-1");
    const forged = network.sandbox.create(SvRewardState, { ...payload, dso: sv }, { actAs: [sv] });
    expectOtherGroup("SvRewardState", () =>
      network.bySv(choice, { ...receiving(network), rewardStateCid: forged }),
    );
  });

  test("cannot use a round that it signed itself", () => {
    const network = new DsoFixture();
    const sv = network.sv(0);
    const payload = network.openRounds()[0]?.payload;
    if (payload === undefined) throw new Error("no round");
    const openRoundCid = network.sandbox.create(OpenMiningRound, { ...payload, dso: sv }, { actAs: [sv] });
    expectOtherGroup("OpenMiningRound", () =>
      network.bySv("DsoRules_ReceiveSvRewardCoupon", { ...receiving(network), openRoundCid }),
    );
  });

  test("cannot use a state that was replaced", () => {
    const network = new DsoFixture();
    const before = receiving(network);
    receive(network);
    const again = { ...before, openRoundCid: network.openRound(1n).contractId };
    expectNotFound(() => network.bySv("DsoRules_ReceiveSvRewardCoupon", again));
  });

  test("must be an SV that acts itself", () => {
    const network = new DsoFixture();
    const { cause } = rejectionOf(() => receive(network, {}, alice));
    expect(cause).toMatch(/: SV is not an SV$/);
    const argument = { ...receiving(network), sv: network.sv(0) };
    expectUnauthorized(() =>
      network.sandbox.exercise(
        DsoRules,
        network.dsoRules,
        "DsoRules_ReceiveSvRewardCoupon",
        argument,
        network.asSv(network.sv(1)),
      ),
    );
  });
});

describe("reward states of one SV", () => {
  function withDuplicate(last: bigint) {
    const network = new DsoFixture();
    const first = stateOf(network, "SV-1");
    const state = { ...first.payload.state, lastRoundCollected: { number: last }, numCouponsIssued: 7n };
    const second = network.sandbox.create(SvRewardState, { ...first.payload, state }, network.asDso());
    return { network, first, second };
  }

  test.each([
    [-2n, 0n],
    [-1n, 0n],
    [0n, 7n],
  ])(
    "are merged into the first with the latest round: a second one of round %i leaves %i coupons",
    (last, kept) => {
      const { network, first, second } = withDuplicate(last);
      const rewardStateCids = [first.contractId, second];
      const { svRewardState } = network.bySv(
        "DsoRules_MergeSvRewardState",
        { svName: "SV-1", rewardStateCids },
        network.sv(1),
      );
      expect(network.sandbox.payloadOf(SvRewardState, svRewardState).state.numCouponsIssued).toBe(kept);
      expect(stateOf(network, "SV-1").contractId).toBe(svRewardState);
      expect(network.sandbox.isActive(first.contractId) || network.sandbox.isActive(second)).toBe(false);
    },
  );

  test("are merged only if there are two of them, and of one SV", () => {
    const { network, first } = withDuplicate(0n);
    const merge = (...rewardStateCids: readonly (typeof first.contractId)[]) =>
      network.bySv("DsoRules_MergeSvRewardState", { svName: "SV-1", rewardStateCids });
    expectUnmet("Number of SvRewardState contracts to merge is >= 2", () => merge(first.contractId));
    expectOtherGroup("SvRewardState", () => merge(first.contractId, stateOf(network, "SV-2").contractId));
    const twice = rejectionOf(() => merge(first.contractId, first.contractId));
    expect(twice.code).toBe("CONTRACT_NOT_ACTIVE");
  });
});
