import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { alice, bob, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { MEMBER_ID, MIN_TOP_UP, MIN_TOP_UP_COST, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { MIN_TIME } from "../../values/time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../splice-amulet/declarations/member-traffic.ts";
import type { AmuletOperation, MemberTrafficPurchase } from "./declarations/amulet-operation.ts";
import { ValidatorTopUpState } from "./declarations/traffic-purchases.ts";

function buy(given: Partial<MemberTrafficPurchase> = {}): AmuletOperation {
  const value = {
    trafficAmount: MIN_TOP_UP,
    memberId: MEMBER_ID,
    synchronizerId: TEST_SYNCHRONIZER,
    migrationId: 0n,
    minTopupInterval: { microseconds: MINUTE },
    topupStateCid: null,
    ...given,
  };
  return { tag: "CO_BuyMemberTraffic", value };
}

/** A validator that has never bought traffic for its participant. */
function toppingUp(network = new WalletNetwork()) {
  const { sandbox, dso } = network;
  const state = (
    given: { validator?: PartyId; memberId?: string; migrationId?: bigint; dso?: PartyId } = {},
  ) =>
    sandbox.create(
      ValidatorTopUpState,
      {
        dso,
        validator,
        memberId: MEMBER_ID,
        synchronizerId: TEST_SYNCHRONIZER,
        migrationId: 0n,
        lastPurchasedAt: MIN_TIME,
        ...given,
      },
      { actAs: [given.validator ?? validator] },
    );
  return { network, sandbox, dso, state, topupStateCid: state() };
}

describe("CO_BuyMemberTraffic without a state", () => {
  test("pays with the inputs and hands on the change", () => {
    const network = new WalletNetwork();
    const { sandbox } = network;
    const { outcomes } = network.runOwn([buy()], [network.tap(validator, "1000.0")]);
    const [traffic = expect.fail("no traffic")] = sandbox.active(MemberTraffic);
    expect(outcomes).toEqual([{ tag: "COO_BuyMemberTraffic", value: traffic.contractId }]);
    expect(traffic.payload).toMatchObject({ totalPurchased: MIN_TOP_UP, amuletSpent: decimal("666.8") });
    expect(coinsOf(network, validator)).toEqual(["333.2"]);
    expect(exercisesOf(sandbox).map(([choice]) => choice)).toEqual([
      "WalletAppInstall_ExecuteBatch",
      "AmuletRules_Fetch",
      "AmuletRules_BuyMemberTraffic",
      "OpenMiningRound_Fetch",
      "Archive",
      "Archive",
    ]);
  });

  test("threads its change into the operation behind it", () => {
    const network = new WalletNetwork();
    const merge: AmuletOperation = { tag: "CO_MergeTransferInputs", value: {} };
    network.runOwn([buy(), buy(), merge], [network.tap(validator, "1400.0")]);
    // 1400 − 2 × 666.8
    expect(coinsOf(network, validator)).toEqual(["66.4"]);
    expect(network.sandbox.active(MemberTraffic)).toHaveLength(2);
  });

  test("takes the validator's coin, not the user's", () => {
    const network = new WalletNetwork();
    const install = network.installWallet(alice, validator);
    const operations = [buy()];
    const inputs = [network.tap(alice, "1000.0")];
    expectOtherGroup("Amulet", () => network.executeBatch(install, { inputs, operations }));
    network.executeBatch(install, { inputs: [network.tap(validator, "1000.0")], operations });
    expect(network.burnCoupons()).toMatchObject([{ user: validator }]);
  });

  test("does not buy by the rules of another DSO", () => {
    const network = new WalletNetwork();
    const { sandbox } = network;
    const other = testParty("other-dso");
    const payload = { ...sandbox.payloadOf(AmuletRules, network.amuletRules), dso: other };
    const amuletRules = sandbox.create(AmuletRules, payload, { actAs: [other] });
    const install = network.installWallet(validator, validator);
    const as = { actAs: [validator], disclose: [...network.disclosures(), amuletRules] };
    const context = { amuletRules, context: network.transferContext() };
    expectOtherGroup("AmuletRules", () =>
      network.executeBatch(install, { operations: [buy()], context, as }),
    );
  });
});

describe("CO_BuyMemberTraffic as a top-up", () => {
  test("taps exactly what it costs on a DevNet, touches no other coin, and notes the time", () => {
    const { network, sandbox, dso, topupStateCid } = toppingUp();
    const kept = network.tap(validator, "5.0");
    network.runOwn([buy({ topupStateCid })], [kept]);
    expect(coinsOf(network, validator)).toEqual(["5.0"]);
    expect(sandbox.isActive(kept)).toBe(true);
    expect(sandbox.active(ValidatorTopUpState).map(({ payload }) => payload)).toEqual([
      {
        dso,
        validator,
        memberId: MEMBER_ID,
        synchronizerId: TEST_SYNCHRONIZER,
        migrationId: 0n,
        lastPurchasedAt: sandbox.now,
      },
    ]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["ValidatorTopUpState"],
      created: ["ValidatorTopUpState", "ValidatorRewardCoupon", "MemberTraffic"],
    });
    expect(network.burnCoupons()).toMatchObject([{ user: validator, amount: decimal(MIN_TOP_UP_COST) }]);
  });

  test("leaves nothing for the operation behind it, whatever it was given", () => {
    const { network, topupStateCid } = toppingUp();
    const kept = network.tap(validator, "1000.0");
    const run = () => network.runOwn([buy({ topupStateCid }), buy()], [kept]);
    expect(rejectionOf(run).context).toMatchObject({ requiredAmount: MIN_TOP_UP_COST });
  });

  test("pays with the inputs outside of development networks", () => {
    const devNet = toppingUp();
    const { network, sandbox, topupStateCid } = toppingUp(new WalletNetwork({ isDevNet: false }));
    const run = (inputs: readonly ContractId[]) => () => network.runOwn([buy({ topupStateCid })], inputs);
    expect(rejectionOf(run([])).context).toMatchObject({ requiredAmount: MIN_TOP_UP_COST });
    expect(sandbox.isActive(topupStateCid)).toBe(true);
    devNet.network.runOwn([buy({ topupStateCid: devNet.topupStateCid })]);
    expect(devNet.sandbox.isActive(devNet.topupStateCid)).toBe(false);
  });

  test("keeps its distance from the one before, to the microsecond", () => {
    const { network, sandbox, topupStateCid } = toppingUp();
    network.runOwn([buy({ topupStateCid })]);
    const [{ contractId: next } = expect.fail("no state")] = sandbox.active(ValidatorTopUpState);
    const again = () => network.runOwn([buy({ topupStateCid: next })]);
    sandbox.advance(MINUTE - 1n);
    expectUnmet("enough time has elapsed since the last topup", again);
    sandbox.advance(1n);
    again();
    expectNotFound(again);
    expect(sandbox.active(MemberTraffic)).toHaveLength(2);
  });

  test.each([{ memberId: "PAR::other::1220" }, { migrationId: 1n }, { synchronizerId: "other::1220" }])(
    "goes by the state of the same member: not for %o",
    (other) => {
      const { network, topupStateCid } = toppingUp();
      expectOtherGroup("ValidatorTopUpState", () => network.runOwn([buy({ topupStateCid, ...other })]));
    },
  );

  test("uses the validator's own state", () => {
    const { network, state } = toppingUp();
    const topupStateCid = state({ validator: bob });
    const install = network.installWallet(bob, validator);
    const run = () =>
      network.executeBatch(install, { operations: [buy({ topupStateCid })], as: network.asWallet(bob) });
    expectUnmet("validator party and ValidatorTopUpState match", run);
  });

  test("is visible to the validator alone", () => {
    const { network, topupStateCid } = toppingUp();
    expectNotFound(() => network.runOwn([buy({ topupStateCid })], [], bob));
    const { sandbox } = network;
    const payload = sandbox.payloadOf(ValidatorTopUpState, topupStateCid);
    expectUnauthorized(() => sandbox.create(ValidatorTopUpState, payload, { actAs: [bob] }));
  });
});
