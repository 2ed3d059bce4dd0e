import { describe, expect, test } from "vitest";
import {
  expectOtherGroup,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { alice, bob, coin, laFamiglia } from "../../../../testing/subscription-fixture.ts";
import { NO_META, TokenNetwork } from "../../../../testing/token-fixture.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol } from "../../../../testing/wallet-fixture.ts";
import { decimal } from "../../../values/decimal.ts";
import { MICROSECOND } from "../../../values/duration.ts";
import { addDuration } from "../../../values/time.ts";
import { AllocationFactory } from "../../splice-api-token-v1/allocation-instruction.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";

function setting() {
  const network = new TokenNetwork();
  return { network, sandbox: network.sandbox, coinCid: network.tap(alice, "30.0") };
}

describe("an allocation", () => {
  test("locks the leg's coin for the DSO until the settlement has to be done", () => {
    const { network, sandbox, coinCid } = setting();
    const { dso } = network;
    const featuredAppRight = network.feature(laFamiglia);
    const allocation = network.allocation(laFamiglia);
    const extraArgs = network.extraArgs({ featuredAppRight });
    const as = network.asHolderWith([featuredAppRight], alice);
    const { output, senderChangeCids, meta } = network.allocateTokens(allocation, [coinCid], {
      extraArgs,
      as,
    });
    const [locked = expect.fail("nothing is locked")] = network.lockedCoins();
    expect(locked.payload).toEqual({
      amulet: coin({ dso, owner: alice, amount: "10.0", round: 0n }),
      lock: {
        holders: [dso],
        expiresAt: allocation.settlement.settleBefore,
        optContext: `allocation for transfer leg "leg0" to '${bob}'`,
      },
    });
    const [made = expect.fail("no allocation")] = sandbox.active(AmuletAllocation);
    expect(made.payload).toEqual({ lockedAmulet: locked.contractId, allocation });
    expect(output).toEqual({
      tag: "AllocationInstructionResult_Completed",
      value: { allocationCid: made.contractId },
    });
    expect(senderChangeCids).toHaveLength(1);
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    expect(meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/sender", alice],
        ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
      ],
    });
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["Amulet"],
      created: ["LockedAmulet", "Amulet", "AmuletAllocation"],
    });
  });

  test("may be for the sender itself", () => {
    const { network, coinCid } = setting();
    network.allocate(network.allocation(laFamiglia, { receiver: alice }), [coinCid]);
    expect(network.lockedCoins()).toHaveLength(1);
  });

  test("takes coin whose lock ran out", () => {
    const { network, sandbox, coinCid } = setting();
    const first = network.allocation(laFamiglia);
    network.allocate(first, [coinCid]);
    const [locked = expect.fail("nothing is locked")] = network.lockedCoins();
    sandbox.now = first.settlement.settleBefore;
    network.allocate(network.allocation(laFamiglia), [locked.contractId]);
    expect(network.lockedCoins()).toHaveLength(1);
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
  });
});

describe("an allocation is refused", () => {
  test("if the caller means another administrator, or the instrument is another", () => {
    const { network, coinCid } = setting();
    const allocation = network.allocation(laFamiglia);
    expectUnmet(`Expected admin '${alice}' matches actual admin '${network.dso}'`, () =>
      network.allocateTokens(allocation, [coinCid], { expectedAdmin: alice }),
    );
    for (const instrumentId of [
      { admin: network.dso, id: "Gold" },
      { admin: carol, id: "Amulet" },
    ]) {
      const other = network.allocation(laFamiglia, { instrumentId });
      expectUnmet("Instrument-id must match the factory", () => network.allocateTokens(other, [coinCid]));
    }
  });

  test.each(["0.0", "-1.0"])("if its amount is %s", (amount) => {
    const { network, coinCid } = setting();
    const allocation = network.allocation(laFamiglia, { amount: decimal(amount) });
    expectUnmet("Transfer amount must be positive", () => network.allocateTokens(allocation, [coinCid]));
  });

  test("without holdings, or with another's", () => {
    const { network } = setting();
    const allocation = network.allocation(laFamiglia);
    expectUnmet("At least one input holding must be provided", () => network.allocateTokens(allocation, []));
    const bobs = network.tap(bob, "30.0");
    const as = network.asHolderWith([bobs], alice);
    expectOtherGroup("Holding", () => network.allocateTokens(allocation, [bobs], { as }));
  });

  test("if it is not covered", () => {
    const { network, coinCid } = setting();
    const allocation = network.allocation(laFamiglia, { amount: decimal("30.5") });
    const { context } = rejectionOf(() => network.allocateTokens(allocation, [coinCid]));
    expect(context).toMatchObject({ requiredAmount: "0.5" });
  });

  test("before it is asked for, and from when it should have been made", () => {
    const { network, sandbox, coinCid } = setting();
    const allocation = network.allocation(laFamiglia);
    const { now } = sandbox;
    const ahead = addDuration(now, MICROSECOND);
    const notYet = { ...allocation, settlement: { ...allocation.settlement, requestedAt: ahead } };
    expectTooEarly("Allocation.settlement.requestedAt", () => network.allocateTokens(notYet, [coinCid]));
    expectTooEarly("requestedAt", () =>
      network.allocateTokens(allocation, [coinCid], { requestedAt: ahead }),
    );
    sandbox.now = allocation.settlement.allocateBefore;
    expectTooLate("Allocation.settlement.allocateBefore", () =>
      network.allocateTokens(allocation, [coinCid]),
    );
    sandbox.now = addDuration(allocation.settlement.allocateBefore, -MICROSECOND);
    network.allocate(allocation, [coinCid]);
  });

  test("if it could be made after the settlement's end", () => {
    const { network, coinCid } = setting();
    const { settlement, ...leg } = network.allocation(laFamiglia);
    const ending = (allocateBefore: typeof settlement.allocateBefore) => ({
      ...leg,
      settlement: { ...settlement, allocateBefore },
    });
    const late = ending(addDuration(settlement.settleBefore, MICROSECOND));
    expectUnmet("Allocation.settlement.allocateBefore <= Allocation.settlement.settleBefore", () =>
      network.allocateTokens(late, [coinCid]),
    );
    network.allocate(ending(settlement.settleBefore), [coinCid]);
  });

  test("by another party than the leg's sender, and without the configuration state", () => {
    const { network, coinCid } = setting();
    const allocation = network.allocation(laFamiglia);
    for (const party of [bob, laFamiglia]) {
      const as = network.asHolderWith([coinCid], party);
      expectUnauthorized(() => network.allocateTokens(allocation, [coinCid], { as }));
    }
    const extraArgs = network.extraArgs({ configState: null });
    expect(rejectionOf(() => network.allocateTokens(allocation, [coinCid], { extraArgs })).cause).toBe(
      `${GENERAL_ERROR}Missing context entry for: external-party-config-state`,
    );
  });
});

test("every party can read the factory in its own name, if it expects its administrator", () => {
  const { network, sandbox } = setting();
  const { dso, factory } = network;
  const read = (expectedAdmin = dso, actor = carol) => {
    const argument = { expectedAdmin, actor };
    const as = network.asHolder(carol);
    return sandbox.exercise(AllocationFactory, factory, "AllocationFactory_PublicFetch", argument, as);
  };
  expect(read()).toEqual({ admin: dso, meta: NO_META });
  expectUnmet(`Expected admin '${carol}' matches actual admin '${dso}'`, () => read(carol));
  expectUnauthorized(() => read(dso, bob));
});
