/** On which terms a name is held: where its times and its price come from, and who holds the fee's lock. */
import { describe, expect, test } from "vitest";
import { ENTRY_LIFETIME } from "../../../testing/dso-fixture.ts";
import { NameNetwork, type RegisteredName } from "../../../testing/name-fixture.ts";
import { expectUnmet } from "../../../testing/rejection.ts";
import { alice, validator } from "../../../testing/subscription-fixture.ts";
import { exercisesOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import { time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry, AnsEntryContext, AnsRules } from "./declarations/ans.ts";
import { defaultAnsConfig } from "./default-ans-config.ts";

function expiryOf(network: NameNetwork, { entryCid }: Pick<RegisteredName, "entryCid">) {
  return network.sandbox.payloadOf(AnsEntry, entryCid).expiresAt;
}

test("the first lifetime counts from the collection, later ones from the last due date", () => {
  const network = new NameNetwork();
  const { sandbox } = network;
  const { entryCid: contextCid, requestCid } = network.requestEntry();
  const paymentCid = network.acceptRequest(requestCid);
  sandbox.now = time("2026-01-01T00:09:59.999999Z");
  const collected = network.collectAsDso(contextCid, paymentCid);
  const name = { contextCid, entryCid: collected.entryCid, idleStateCid: collected.subscriptionStateCid };
  expect(expiryOf(network, name)).toBe(time("2026-04-01T00:09:59.999999Z"));

  sandbox.now = time("2026-03-31T23:00:00Z");
  const renewed = network.renew(name);
  expect(expiryOf(network, renewed)).toBe(time("2026-06-30T00:09:59.999999Z"));
});

test("the fee is locked for the DSO alone, which signed the request and is not asked again", () => {
  const network = new NameNetwork();
  const { sandbox, dso } = network;
  const { requestCid } = network.requestEntry();
  const inputs = [network.tap(alice, "250.0")];
  const { subscriptionPayment } = network.accept(requestCid, { inputs, as: network.as(alice, validator) });
  const { lockedAmulet } = sandbox.payloadOf(SubscriptionInitialPayment, subscriptionPayment);
  expect(network.lockOf(lockedAmulet).lock).toEqual({
    holders: [dso],
    expiresAt: time("2026-01-01T00:20:00Z"),
    optContext: 'amulet-subscription: ANS entry: "alice.unverified.cns"',
  });
  expect(exercisesOf(sandbox)[2]).toEqual(["AmuletRules_Transfer", [dso, alice, validator]]);
});

test("a refund is the old coin: its holding fee counts from when the coin was locked", () => {
  const network = new NameNetwork();
  const { entryCid: contextCid, requestCid } = network.requestEntry();
  const paymentCid = network.acceptRequest(requestCid);
  for (let i = 0; i < 5; i++) network.advanceRounds(decimal("0.1"));
  const { amuletSum } = network.rejectAsDso(contextCid, paymentCid);
  expect(amuletSum.round.number).toBe(6n);
  const { amount } = network.sandbox.payloadOf(Amulet, amuletSum.amulet);
  expect(amount).toEqual({
    initialAmount: decimal("200.0"),
    createdAt: { number: 1n },
    ratePerRound: { rate: decimal("0.00380518") },
  });
});

test("a subscription keeps the terms it was requested on, whatever rules renew it", () => {
  const network = new NameNetwork();
  const { sandbox, dso } = network;
  const name = network.register();
  const config = { ...defaultAnsConfig, entryLifetime: { microseconds: DAY }, entryFee: decimal("5.0") };
  const otherRules = sandbox.create(AnsRules, { dso, config }, { actAs: [dso] });

  sandbox.now = time("2026-03-31T00:00:00Z");
  const paymentCid = network.payRenewal(name.idleStateCid);
  expect(sandbox.payloadOf(SubscriptionPayment, paymentCid).targetAmount).toBe(decimal("200.0"));
  const renewed = sandbox.exercise(
    AnsEntryContext,
    name.contextCid,
    "AnsEntryContext_CollectEntryRenewalPayment",
    { paymentCid, entryCid: name.entryCid, transferContext: network.appContext(), ansRulesCid: otherRules },
    { actAs: [dso] },
  );
  expect(expiryOf(network, renewed)).toBe(time("2026-06-30T00:00:00Z"));
});

describe("a renewal window", () => {
  /** The number of renewals a fresh name takes at the moment of its registration. */
  function prepay(renewalDuration: bigint) {
    const network = new NameNetwork({ ansConfig: { renewalDuration: { microseconds: renewalDuration } } });
    let name = network.register();
    for (let renewals = 0; ; renewals++) {
      try {
        name = network.renew(name);
      } catch {
        const label = "The next due date is close enough to make the next payment.";
        expectUnmet(label, () => network.payRenewal(name.idleStateCid));
        return { renewals, expiresAt: expiryOf(network, name) };
      }
    }
  }

  test.each([
    ["a microsecond shorter than the lifetime lets nothing be paid in advance", ENTRY_LIFETIME - 1n, 0, 90n],
    ["as long as the lifetime lets the next interval be paid at once", ENTRY_LIFETIME, 1, 180n],
    ["of a year lets four intervals of ninety days be paid at once", 365n * DAY, 4, 450n],
  ])("%s", (_what, renewalDuration, renewals, days) => {
    const start = time("2026-01-01T00:00:00Z");
    expect(prepay(renewalDuration)).toEqual({ renewals, expiresAt: start + days * DAY });
  });
});
