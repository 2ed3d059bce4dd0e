import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { alice, bob, laFamiglia } from "../../../../testing/subscription-fixture.ts";
import { NO_META, TokenNetwork } from "../../../../testing/token-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol } from "../../../../testing/wallet-fixture.ts";
import { decimal } from "../../../values/decimal.ts";
import { HOUR, MICROSECOND } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import type { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { Amulet, FeaturedAppActivityMarker, LockedAmulet } from "../declarations/amulet.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";

const AMULET = "amulet.splice.lfdecentralizedtrust.org/";
const everybody = [laFamiglia, alice, bob];

/** Alice has put aside 10 of her 30 coins for Bob, in a settlement of la_famiglia's that ends in two hours. */
function allocated() {
  const network = new TokenNetwork();
  const allocation = network.allocation(laFamiglia);
  const cid = network.allocate(allocation, [network.tap(alice, "30.0")]);
  const { payload } = network.sandbox.active(AmuletAllocation)[0] ?? expect.fail("no allocation");
  const settle = (
    given: { by?: readonly PartyId[]; meta?: Metadata; right?: typeof cid; configState?: null } = {},
  ) => {
    const { by = everybody, meta = NO_META, right, configState } = given;
    const handed = {
      ...(right === undefined ? {} : { featuredAppRight: right }),
      ...(configState === undefined ? {} : { configState }),
    };
    const as = network.asHolderWith([cid, ...(right === undefined ? [] : [right])], ...by);
    const extraArgs = network.extraArgs(handed, meta);
    return network.endAllocation(cid, "Allocation_ExecuteTransfer", as, extraArgs);
  };
  const release = (
    choice: "Allocation_Cancel" | "Allocation_Withdraw",
    by: readonly PartyId[],
    expireLock = true,
  ) => {
    const as = network.asHolderWith([cid], ...by);
    return network.endAllocation(cid, choice, as, network.extraArgs({ expireLock }));
  };
  const expire = (expireLock = true, by: PartyId = network.dso) => {
    const as = network.asHolderWith([cid], by);
    const choice = "AmuletAllocation_DsoExpire";
    return network.sandbox.exercise(AmuletAllocation, cid, choice, { expireLock }, as);
  };
  const unlock = () => {
    const choice = "LockedAmulet_OwnerExpireLockV2";
    network.sandbox.exercise(LockedAmulet, payload.lockedAmulet, choice, {}, { actAs: [alice] });
  };
  const deadline = allocation.settlement.settleBefore;
  return { network, sandbox: network.sandbox, cid, payload, deadline, settle, release, expire, unlock };
}

test("an allocation is signed by the DSO and the sender, and shown to the executor", () => {
  const { network, sandbox, payload } = allocated();
  const { dso } = network;
  const create = (...actAs: PartyId[]) => sandbox.create(AmuletAllocation, payload, { actAs });
  create(dso, alice);
  const node = sandbox.lastTransaction?.nodes.find((each) => each.kind === "create");
  expect(node).toMatchObject({ signatories: [dso, alice], observers: [laFamiglia] });
  expectUnauthorized(() => create(dso));
  expectUnauthorized(() => create(alice, bob, laFamiglia));
});

describe("a settlement", () => {
  test("moves the coin, until a microsecond before its end", () => {
    const { network, sandbox, deadline, settle } = allocated();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    const result = settle();
    const [bobs = expect.fail("no coin")] = sandbox
      .active(Amulet)
      .filter(({ payload }) => payload.owner === bob);
    expect(result).toEqual({
      senderHoldingCids: [],
      receiverHoldingCids: [bobs.contractId],
      meta: {
        values: [
          ["splice.lfdecentralizedtrust.org/sender", alice],
          ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
        ],
      },
    });
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AmuletAllocation", "LockedAmulet"],
      created: ["Amulet"],
    });
    expect(exercisesOf(sandbox)[0]).toEqual(["Allocation_ExecuteTransfer", everybody]);
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
    expectNotFound(() => settle());
  });

  test("is too late at its end", () => {
    const { sandbox, deadline, settle } = allocated();
    sandbox.now = deadline;
    expectTooLate("allocation.settlement.settleBefore", settle);
  });

  test.each(everybody)("does not happen without %s", (absent) => {
    const { settle, release } = allocated();
    const others = everybody.filter((party) => party !== absent);
    expectUnauthorized(() => settle({ by: others }));
    expectUnauthorized(() => release("Allocation_Cancel", others));
  });

  test("rewards its executor, if featured", () => {
    const { network, sandbox, settle } = allocated();
    settle({ right: network.feature(laFamiglia) });
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload)).toEqual([
      { dso: network.dso, provider: laFamiglia, beneficiary: laFamiglia, weight: decimal("1.0") },
    ]);
  });

  test("rewards whom its executor names, by their weights", () => {
    const { network, sandbox, settle } = allocated();
    const meta = {
      values: [
        [`${AMULET}app-reward-beneficiaries`, `${laFamiglia},${carol}`],
        [`${AMULET}app-reward-beneficiary-weights`, "0.8,0.2"],
      ],
    } as const;
    settle({ right: network.feature(laFamiglia), meta });
    const markers = sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload);
    expect(markers.map(({ beneficiary, weight }) => [beneficiary, weight]).sort()).toEqual(
      [
        [laFamiglia, decimal("0.8")],
        [carol, decimal("0.2")],
      ].sort(),
    );
  });

  test("rewards no other party with the executor's right, nor the executor with another's", () => {
    const { network, settle } = allocated();
    expect(rejectionOf(() => settle({ right: network.feature(alice) })).cause).toContain(
      `Contract mismatch: expected FeaturedAppRight {dso = '${network.dso}', provider = '${laFamiglia}'}`,
    );
  });

  test("is refused if the weights do not add up, or the state is missing", () => {
    const { settle } = allocated();
    const meta = {
      values: [
        [`${AMULET}app-reward-beneficiaries`, `${carol}`],
        [`${AMULET}app-reward-beneficiary-weights`, "0.8"],
      ],
    } as const;
    expectUnmet("Beneficiary weights add up to 1.0", () => settle({ meta }));
    expect(rejectionOf(() => settle({ configState: null })).cause).toBe(
      `${GENERAL_ERROR}Missing context entry for: external-party-config-state`,
    );
  });
});

describe.each([
  ["Allocation_Cancel", everybody],
  ["Allocation_Withdraw", [alice]],
] as const)("%s", (choice, by) => {
  test("gives the coin back, before the settlement's end and after", () => {
    for (const later of [0n, 3n * HOUR]) {
      const { network, sandbox, release } = allocated();
      sandbox.advance(later);
      const result = release(choice, by);
      expect(result.meta).toEqual(NO_META);
      expect(result.senderHoldingCids.map((cid) => sandbox.payloadOf(Amulet, cid))).toMatchObject([
        { owner: alice, amount: { initialAmount: decimal("10.0") } },
      ]);
      expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
      expect(exercisesOf(sandbox)[0]).toEqual([choice, [...by]]);
      expectNotFound(() => release(choice, by));
    }
  });

  test("ends an allocation whose lock is gone, once that can be", () => {
    const { sandbox, cid, deadline, release, unlock } = allocated();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    expectTooEarly("allocation.settlement.settleBefore", () => release(choice, by, false));
    sandbox.now = deadline;
    unlock();
    expectNotFound(() => release(choice, by));
    expect(release(choice, by, false).senderHoldingCids).toEqual([]);
    expect(sandbox.isActive(cid)).toBe(false);
  });
});

test("only the sender withdraws an allocation", () => {
  const { release } = allocated();
  expectUnauthorized(() => release("Allocation_Withdraw", [bob, laFamiglia]));
});

describe("the DSO", () => {
  test("cleans up from the settlement's end on, and says why", () => {
    const { network, sandbox, deadline, expire } = allocated();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    expectTooEarly("allocation.settlement.settleBefore", expire);
    sandbox.now = deadline;
    expectUnauthorized(() => expire(true, laFamiglia));
    const { senderHoldingCids, meta } = expire();
    expect(senderHoldingCids).toHaveLength(1);
    expect(meta).toEqual({
      values: [["splice.lfdecentralizedtrust.org/reason", "expired as settleBefore has passed"]],
    });
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
    expectNotFound(() => expire());
  });

  test("cleans up what is left of an allocation whose lock is gone", () => {
    const { network, sandbox, deadline, expire, unlock } = allocated();
    sandbox.now = deadline;
    unlock();
    expectNotFound(() => expire());
    expect(expire(false).senderHoldingCids).toEqual([]);
    expect(sandbox.active(AmuletAllocation)).toEqual([]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });
});
