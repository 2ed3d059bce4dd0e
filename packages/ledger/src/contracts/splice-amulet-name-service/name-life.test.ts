/** Whole lives of names, after Splice's own scripts. */
import { expect, test } from "vitest";
import { ENTRY_LIFETIME } from "../../../testing/dso-fixture.ts";
import { aliceEntry, NameNetwork } from "../../../testing/name-fixture.ts";
import { expectUnmet } from "../../../testing/rejection.ts";
import { alice } from "../../../testing/subscription-fixture.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet, FeaturedAppActivityMarker, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry, AnsEntryContext } from "./declarations/ans.ts";

const NOT_YET = "The next due date is close enough to make the next payment.";

test("a name is requested, paid, renewed twice, paid too late, and its contracts go one by one", () => {
  const network = new NameNetwork();
  const { sandbox, dso } = network;
  const expire = (entryCid: Parameters<typeof sandbox.isActive>[0]) =>
    sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Expire", { actor: dso }, { actAs: [dso] });

  const registered = network.register();
  expect(sandbox.active(Amulet)).toEqual([]);
  expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  const entry = sandbox.payloadOf(AnsEntry, registered.entryCid);
  const state = sandbox.payloadOf(SubscriptionIdleState, registered.idleStateCid);
  expect(entry).toEqual({ user: alice, dso, ...aliceEntry, expiresAt: time("2026-04-01T00:00:00Z") });
  expect(state.nextPaymentDueAt).toBe(entry.expiresAt);
  expect(state.payData.paymentInterval.microseconds).toBe(ENTRY_LIFETIME);

  // The renewal window opens on day 60.
  sandbox.now = time("2026-03-02T00:00:00Z");
  network.advanceRounds();
  const renewed = network.renew(registered);
  expect(sandbox.active(Amulet)).toEqual([]);
  expect(sandbox.payloadOf(AnsEntry, renewed.entryCid).expiresAt).toBe(time("2026-06-30T00:00:00Z"));
  expectUnmet("Contract expired", () => expire(renewed.entryCid));
  expectUnmet(NOT_YET, () => network.payRenewal(renewed.idleStateCid));

  sandbox.advance(90n * DAY);
  network.advanceRounds();
  const again = network.renew(renewed);
  expect(network.balanceOf(dso)).toBe(decimal("0.0"));
  expect(sandbox.payloadOf(AnsEntry, again.entryCid).expiresAt).toBe(time("2026-09-28T00:00:00Z"));
  expectUnmet("Contract expired", () => expire(again.entryCid));

  // Paying after the entry expired is possible; collecting is not.
  sandbox.advance(121n * DAY);
  network.advanceRounds();
  const late = network.payRenewal(again.idleStateCid);
  expectUnmet("Current entry is not expired", () => network.collectRenewalAsDso(again, late));

  expire(again.entryCid);
  expect(sandbox.active(AnsEntry)).toEqual([]);

  network.advanceRounds();
  network.advanceRounds();
  network.advanceRounds();
  const expiry = { actor: dso, transferContext: network.appContext() };
  sandbox.exercise(SubscriptionPayment, late, "SubscriptionPayment_Expire", expiry, { actAs: [dso] });
  expect(sandbox.active(LockedAmulet)).toEqual([]);
  // The refused fees of two attempts: the tapped coin of the early one, and the one that was locked.
  expect(network.balanceOf(alice)).toBe(decimal("400.0"));

  const [idle] = sandbox.active(SubscriptionIdleState);
  expect(idle?.payload.nextPaymentDueAt).toBe(time("2026-09-28T00:00:00Z"));
});

test("a rejected request leaves nothing behind once its tombstone is cleaned up", () => {
  const network = new NameNetwork();
  const { sandbox, dso } = network;
  const { entryCid: contextCid, requestCid } = network.requestEntry();
  const choice = "SubscriptionRequest_Reject";
  const rejected = sandbox.exercise(SubscriptionRequest, requestCid, choice, {}, { actAs: [alice] });
  const terminatedSubscriptionCid = rejected.terminatedSubscription;
  sandbox.exercise(
    AnsEntryContext,
    contextCid,
    "AnsEntryContext_Terminate",
    { actor: dso, terminatedSubscriptionCid },
    { actAs: [dso] },
  );
  for (const template of [AnsEntryContext, TerminatedSubscription, SubscriptionRequest]) {
    expect(sandbox.active(template)).toEqual([]);
  }
});

test("cancelling a subscription keeps the entry until it expires", () => {
  const network = new NameNetwork();
  const { sandbox, dso } = network;
  const { contextCid, entryCid, idleStateCid } = network.register();
  const choice = "SubscriptionIdleState_CancelSubscription";
  const cancelled = sandbox.exercise(SubscriptionIdleState, idleStateCid, choice, {}, { actAs: [alice] });
  const terminatedSubscriptionCid = cancelled.terminatedSubscription;
  const termination = { actor: dso, terminatedSubscriptionCid };
  sandbox.exercise(AnsEntryContext, contextCid, "AnsEntryContext_Terminate", termination, { actAs: [dso] });
  expect(sandbox.active(Subscription)).toEqual([]);
  expect(sandbox.active(AnsEntryContext)).toEqual([]);

  const { expiresAt } = sandbox.payloadOf(AnsEntry, entryCid);
  const expire = () =>
    sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Expire", { actor: alice }, { actAs: [alice] });
  sandbox.now = expiresAt;
  expectUnmet("Contract expired", expire);
  sandbox.now = addDuration(expiresAt, 1n);
  expire();
  expect(sandbox.active(AnsEntry)).toEqual([]);
});
