/** Invariants of every name, for any price, fee, configuration and times of paying. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENTRY_LIFETIME, RENEWAL_DURATION } from "../../../testing/dso-fixture.ts";
import { NameNetwork } from "../../../testing/name-fixture.ts";
import { expectUnmet } from "../../../testing/rejection.ts";
import { alice } from "../../../testing/subscription-fixture.ts";
import { decimal, decimalFromUnits } from "../../values/decimal.ts";
import { DAY, MINUTE } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry } from "./declarations/ans.ts";

const RUNS = { numRuns: 40 };
const RICH = "1000000.0";

/** Requests and pays with one large coin, at any price and fee. */
function payWith(network: NameNetwork) {
  const { entryCid: contextCid, requestCid } = network.requestEntry();
  const { subscriptionPayment } = network.accept(requestCid, { inputs: [network.tap(alice, RICH)] });
  const payment = network.sandbox.payloadOf(SubscriptionInitialPayment, subscriptionPayment);
  return { contextCid, paymentCid: subscriptionPayment, payment };
}

describe("a collection burns exactly the fee at the price of the locked round, and the DSO keeps nothing", () => {
  test.each([
    ["0.005", "1.0", "200.0"],
    ["2.0", "1.0", "0.5"],
    ["0.3", "1.0", "3.3333333333"],
    ["0.3", "2.0", "6.6666666667"],
    ["0.07", "1.0", "14.2857142857"],
    ["3.0", "0.0000000002", "0.0000000001"],
  ])("at %s with a fee of %s: %s", (price, fee, burned) => {
    const network = new NameNetwork({ amuletPrice: decimal(price), ansConfig: { entryFee: decimal(fee) } });
    const { contextCid, paymentCid, payment } = payWith(network);
    expect(payment.targetAmount).toBe(decimal(burned));
    network.collectAsDso(contextCid, paymentCid);
    expect(network.balanceOf(alice)).toBe(decimal(RICH) - decimal(burned));
    const coins = network.sandbox.active(Amulet).map(({ payload }) => payload.owner);
    expect(coins).toEqual([alice]);
    expect(network.sandbox.active(LockedAmulet)).toEqual([]);
  });

  test("for any price and fee, to the last digit", () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(units, units, (price, fee) => {
        const network = new NameNetwork({
          amuletPrice: decimalFromUnits(price),
          ansConfig: { entryFee: decimalFromUnits(fee) },
        });
        // Half-even by whole numbers: the remainder decides, and on a tie the last digit.
        const [whole, rest] = [(fee * 10n ** 10n) / price, (fee * 10n ** 10n) % price];
        const up = rest * 2n > price || (rest * 2n === price && whole % 2n === 1n);
        const expected = up ? whole + 1n : whole;
        fc.pre(expected > 0n && expected < decimal(RICH));
        const { contextCid, paymentCid, payment } = payWith(network);
        expect(payment.targetAmount).toBe(expected);
        network.collectAsDso(contextCid, paymentCid);
        expect(network.balanceOf(alice)).toBe(decimal(RICH) - expected);
        expect(network.balanceOf(network.dso)).toBe(0n);
      }),
      RUNS,
    );
  });
});

test("a refund gives back exactly the coin that was locked, with its round and rate", () => {
  const minutes = fc.bigInt({ min: 0n, max: 60n });
  fc.assert(
    fc.property(minutes, fc.constantFrom("reject", "expire"), fc.nat(3), (after, how, advances) => {
      const network = new NameNetwork();
      const { sandbox, dso } = network;
      const { contextCid, paymentCid, payment } = payWith(network);
      const { amulet: locked, lock } = network.lockOf(payment.lockedAmulet);
      sandbox.advance(after * MINUTE);
      for (let i = 0; i < advances; i++) network.advanceRounds(decimal("0.1"));
      if (how === "reject") network.rejectAsDso(contextCid, paymentCid);
      else {
        if (sandbox.now < lock.expiresAt) sandbox.now = lock.expiresAt;
        const argument = { actor: dso, transferContext: network.appContext() };
        const choice = "SubscriptionInitialPayment_Expire";
        sandbox.exercise(SubscriptionInitialPayment, paymentCid, choice, argument, { actAs: [dso] });
      }
      expect(network.balanceOf(alice)).toBe(decimal(RICH));
      expect(sandbox.active(Amulet).map(({ payload }) => payload)).toContainEqual(locked);
      expect(sandbox.active(LockedAmulet)).toEqual([]);
    }),
    RUNS,
  );
});

test("after k renewals an entry expires k + 1 lifetimes after its collection, whenever they were paid", () => {
  const within = fc.bigInt({ min: 0n, max: RENEWAL_DURATION - 1n });
  const delay = fc.bigInt({ min: 0n, max: 10n * MINUTE });
  fc.assert(
    fc.property(delay, fc.array(within, { maxLength: 4 }), (collectedAfter, paidBefore) => {
      const network = new NameNetwork();
      const { sandbox } = network;
      sandbox.advance(collectedAfter);
      const collectedAt = sandbox.now;
      let name = network.register();
      paidBefore.forEach((early, k) => {
        const due = addDuration(collectedAt, BigInt(k + 1) * ENTRY_LIFETIME);
        sandbox.now = addDuration(due, -early - 1n);
        const paymentCid = network.payRenewal(name.idleStateCid);
        const payment = sandbox.payloadOf(SubscriptionPayment, paymentCid);
        expect(payment.thisPaymentDueAt).toBe(sandbox.payloadOf(AnsEntry, name.entryCid).expiresAt);
        const renewed = network.collectRenewalAsDso(name, paymentCid);
        name = { ...name, entryCid: renewed.entryCid, idleStateCid: renewed.subscriptionStateCid };
      });
      const lifetimes = BigInt(paidBefore.length + 1);
      const { expiresAt } = sandbox.payloadOf(AnsEntry, name.entryCid);
      expect(expiresAt).toBe(addDuration(collectedAt, lifetimes * ENTRY_LIFETIME));
      expect(sandbox.payloadOf(SubscriptionIdleState, name.idleStateCid).nextPaymentDueAt).toBe(expiresAt);
      expect(sandbox.active(AnsEntry)).toHaveLength(1);
      expect(sandbox.active(SubscriptionIdleState)).toHaveLength(1);
    }),
    RUNS,
  );
});

describe("for any time around the due date, to the microsecond", () => {
  const around = fc.oneof(
    fc.constantFrom(-RENEWAL_DURATION - 1n, -RENEWAL_DURATION, -1n, 0n, 1n),
    fc.bigInt({ min: -ENTRY_LIFETIME, max: 30n * DAY }),
  );
  /** Registered, and the clock set this far from the entry's expiry. */
  function registeredAt(offset: bigint) {
    const network = new NameNetwork();
    const name = network.register();
    const { expiresAt } = network.sandbox.payloadOf(AnsEntry, name.entryCid);
    network.sandbox.now = addDuration(expiresAt, offset);
    return { network, name, expiresAt };
  }

  test("a renewal can be paid from the opening of the window on, and not before", () => {
    fc.assert(
      fc.property(around, (offset) => {
        const { network, name } = registeredAt(offset);
        const pay = () => network.payRenewal(name.idleStateCid);
        const label = "The next due date is close enough to make the next payment.";
        if (offset < -RENEWAL_DURATION) expectUnmet(label, pay);
        else expect(network.sandbox.isActive(pay())).toBe(true);
      }),
      RUNS,
    );
  });

  test("a paid renewal can be collected before the entry expires, and not from then on", () => {
    fc.assert(
      fc.property(around, (offset) => {
        fc.pre(offset >= -RENEWAL_DURATION);
        const { network, name, expiresAt } = registeredAt(-RENEWAL_DURATION);
        const paymentCid = network.payRenewal(name.idleStateCid);
        network.sandbox.now = addDuration(expiresAt, offset);
        const collect = () => network.collectRenewalAsDso(name, paymentCid);
        if (offset >= 0n) expectUnmet("Current entry is not expired", collect);
        else expect(network.sandbox.isActive(collect().entryCid)).toBe(true);
      }),
      RUNS,
    );
  });

  test("an entry can be expired after its expiry, and not before or at it", () => {
    fc.assert(
      fc.property(around, fc.constantFrom("user", "dso"), (offset, who) => {
        const { network, name } = registeredAt(offset);
        const actor = who === "user" ? alice : network.dso;
        const as = { actAs: [actor] };
        const expire = () =>
          network.sandbox.exercise(AnsEntry, name.entryCid, "AnsEntry_Expire", { actor }, as);
        if (offset <= 0n) expectUnmet("Contract expired", expire);
        else expire();
        expect(network.sandbox.isActive(name.entryCid)).toBe(offset <= 0n);
      }),
      RUNS,
    );
  });
});
