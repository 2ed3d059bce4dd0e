import { describe, expect, test } from "vitest";
import { expectNotFound, expectTooLate } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { alice, bob, coin, laFamiglia, validator } from "../../../../testing/subscription-fixture.ts";
import { TokenNetwork } from "../../../../testing/token-fixture.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { exerciseCommand } from "../../../engine/command.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR, MICROSECOND } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { Allocation } from "../../splice-api-token-v1/allocation.ts";
import { FeaturedAppActivityMarker, LockedAmulet } from "../declarations/amulet.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { AppRewardCoupon } from "../declarations/reward-coupons.ts";

const [investor1, investor2] = [testParty("investor1"), testParty("investor2")];

/** The same amount twice: free, and locked until now. */
function tapLockedAndUnlocked(network: TokenNetwork, owner: PartyId, half: string): readonly ContractId[] {
  const { sandbox, dso } = network;
  const amulet = coin({ dso, owner, amount: half, round: 0n });
  const lock = { holders: [dso], expiresAt: sandbox.now, optContext: "test expired lock" };
  const locked = sandbox.create(LockedAmulet, { amulet, lock }, { actAs: [dso, owner] });
  return [network.tap(owner, half), locked];
}

/** Alice and Bob have put aside 100 and 20 coins for a trade on la_famiglia's venue, out of 1000 each. */
function trade() {
  const network = new TokenNetwork();
  const right = network.feature(laFamiglia);
  const leg = (transferLegId: string, sender: PartyId, receiver: PartyId, amount: string) => {
    const allocation = network.allocation(laFamiglia, { sender, receiver, amount: decimal(amount) });
    return network.allocate({ ...allocation, transferLegId }, tapLockedAndUnlocked(network, sender, "500.0"));
  };
  const legs = [leg("leg0", alice, bob, "100.0"), leg("leg1", bob, alice, "20.0")];
  return { network, sandbox: network.sandbox, right, legs };
}

describe("delivery against payment", () => {
  test("moves both legs at once, and rewards the venue and whom it names", () => {
    const { network, sandbox, right, legs } = trade();
    expect(network.lockedCoins().map(({ payload }) => payload.lock.optContext)).toEqual([
      `allocation for transfer leg "leg0" to '${bob}'`,
      `allocation for transfer leg "leg1" to '${alice}'`,
    ]);
    sandbox.advance(HOUR);
    const prefix = "amulet.splice.lfdecentralizedtrust.org/app-reward-beneficiar";
    const meta = {
      values: [
        [`${prefix}ies`, `${laFamiglia},${investor1},${investor2}`],
        [`${prefix}y-weights`, "0.8,0.1,0.1"],
      ],
    } as const;
    const extraArgs = network.extraArgs({ featuredAppRight: right }, meta);
    const commands = legs.map((cid) =>
      exerciseCommand(Allocation, cid, "Allocation_ExecuteTransfer", { extraArgs }),
    );
    const as = network.asHolderWith([right, ...legs], laFamiglia, alice, bob);
    expect(sandbox.submit(commands, as).kind).toBe("transaction");
    expect(coinsOf(network, alice)).toEqual(["20.0", "900.0"]);
    expect(coinsOf(network, bob)).toEqual(["100.0", "980.0"]);
    expect(network.lockedCoins()).toEqual([]);
    const markerCids = sandbox.active(FeaturedAppActivityMarker).map(({ contractId }) => contractId);
    expect(markerCids).toHaveLength(6);
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_ConvertFeaturedAppActivityMarkers",
      { markerCids, openMiningRoundCid: network.usableRound().contractId, observers: null },
      { actAs: [network.dso] },
    );
    // Two legs, each a dollar at half a cent, by weight.
    const coupons = sandbox.active(AppRewardCoupon).map(({ payload }) => payload);
    const byBeneficiary = new Map(coupons.map(({ beneficiary, amount }) => [beneficiary, amount]));
    expect(byBeneficiary).toEqual(
      new Map([
        [laFamiglia, decimal("320.0")],
        [investor1, decimal("40.0")],
        [investor2, decimal("40.0")],
      ]),
    );
  });

  test("moves neither leg if one cannot be moved", () => {
    const { network, sandbox, legs } = trade();
    const [aliceLeg = expect.fail("no leg")] = legs;
    const withdrawing = network.extraArgs({ expireLock: true });
    network.endAllocation(aliceLeg, "Allocation_Withdraw", network.asHolder(alice), withdrawing);
    expect(coinsOf(network, alice)).toEqual(["100.0", "900.0"]);
    const extraArgs = network.extraArgs();
    const commands = legs
      .toReversed()
      .map((cid) => exerciseCommand(Allocation, cid, "Allocation_ExecuteTransfer", { extraArgs }));
    const outcome = sandbox.submit(commands, network.asHolderWith(legs, laFamiglia, alice, bob));
    expect(outcome).toMatchObject({ kind: "failure", error: { code: "CONTRACT_NOT_FOUND" } });
    expect(coinsOf(network, bob)).toEqual(["980.0"]);
    expect(network.lockedCoins()).toHaveLength(1);
  });

  test("is cancelled after its time, whether an owner has helped himself or not", () => {
    const { network, sandbox, legs } = trade();
    const bobs = network.lockedCoins().find(({ payload }) => payload.amulet.owner === bob);
    sandbox.advance(DAY);
    const lockedCid = bobs?.contractId ?? expect.fail("nothing of Bob's is locked");
    const choice = "LockedAmulet_OwnerExpireLockV2";
    sandbox.exercise(LockedAmulet, lockedCid, choice, {}, { actAs: [bob] });
    const commands = legs.map((cid, i) =>
      exerciseCommand(Allocation, cid, "Allocation_Cancel", {
        extraArgs: network.extraArgs({ expireLock: i === 0 }),
      }),
    );
    const as = network.asHolderWith(legs, laFamiglia, alice, bob);
    expect(sandbox.submit(commands, as).kind).toBe("transaction");
    expect(sandbox.active(AmuletAllocation)).toEqual([]);
    expect(network.lockedCoins()).toEqual([]);
    expect([network.holdingsOf(alice), network.holdingsOf(bob)]).toEqual([
      decimal("1000.0"),
      decimal("1000.0"),
    ]);
  });
});

describe("a signature that takes its time", () => {
  test("is good for as long as its state is there, whatever the rounds do", () => {
    const network = new TokenNetwork();
    const { sandbox } = network;
    const states = network.configStates();
    const configState = states[1] ?? expect.fail("no second state");
    const preapproval = network.grantPreapproval(network.later(30n * DAY), { provider: validator });
    const inputs = tapLockedAndUnlocked(network, alice, "25.0");
    const transfer = network.tokenTransfer(inputs, { executeBefore: network.later(2n * DAY) });
    for (let i = 0; i < 3; i++) network.advanceRounds(decimal("1.0"));
    sandbox.now = addDuration(transfer.executeBefore, -MICROSECOND);
    network.transferTokens(transfer, { handed: { configState, preapproval } });
    expect(coinsOf(network, alice)).toEqual(["40.0"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
  });

  test("is worth nothing once its coin is spent or its time is over", () => {
    const network = new TokenNetwork();
    const coinCid = network.tap(alice, "30.0");
    const transfer = network.tokenTransfer([coinCid]);
    network.transferTokens(network.tokenTransfer([coinCid], { receiver: alice }));
    expectNotFound(() => network.transferTokens(transfer));
    const other = network.tokenTransfer([network.tap(alice, "30.0")]);
    network.sandbox.now = other.executeBefore;
    expectTooLate("Transfer.executeBefore", () => network.transferTokens(other));
  });
});

test("an offer that lapsed is paid for with its own coin", () => {
  const network = new TokenNetwork();
  const { sandbox } = network;
  const cid = network.offerTokens([network.tap(alice, "10.0")]);
  const [locked = expect.fail("nothing is locked")] = network.lockedCoins();
  sandbox.advance(DAY);
  const again = network.offerTokens([locked.contractId]);
  // The first offer's coin went into the second one; what is left of the first can be cleared away.
  expectNotFound(() => network.endTransfer(cid, "TransferInstruction_Reject", network.asHolder(bob)));
  const rejected = network.endTransfer(cid, "TransferInstruction_Reject", network.asHolder(bob), {
    expireLock: false,
  });
  expect(rejected.senderChangeCids).toEqual([]);
  const accepted = network.endTransfer(again, "TransferInstruction_Accept", network.asHolder(bob), {});
  expect(accepted.senderChangeCids).toEqual([]);
  expect([coinsOf(network, alice), coinsOf(network, bob)]).toEqual([[], ["10.0"]]);
});
