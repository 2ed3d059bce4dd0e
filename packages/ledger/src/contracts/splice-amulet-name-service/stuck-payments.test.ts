/**
 * Payments that the ledger lets run into a dead end, exactly as Splice's contracts do. Whoever automates has to
 * know them.
 */
import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { NameNetwork } from "../../../testing/name-fixture.ts";
import { expectNotFound, expectTooEarly, expectUnmet } from "../../../testing/rejection.ts";
import { alice } from "../../../testing/subscription-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { addDuration, time } from "../../values/time.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";

const due = time("2026-04-01T00:00:00Z");

function expireRenewal(network: NameNetwork, paymentCid: ContractId) {
  const argument = { actor: alice, transferContext: network.appContext() };
  const choice = "SubscriptionPayment_Expire";
  return network.sandbox.exercise(SubscriptionPayment, paymentCid, choice, argument, network.as(alice));
}

describe("a renewal paid after the due date", () => {
  test("locks coin that can never be collected, until it is expired", () => {
    const network = new NameNetwork();
    const { sandbox } = network;
    const name = network.register();
    sandbox.now = addDuration(due, 1n);
    const paymentCid = network.payRenewal(name.idleStateCid);
    expectUnmet("Current entry is not expired", () => network.collectRenewalAsDso(name, paymentCid));
    expect(network.balanceOf(alice)).toBe(decimal("0.0"));

    const { lockedAmulet } = sandbox.payloadOf(SubscriptionPayment, paymentCid);
    const { expiresAt } = network.lockOf(lockedAmulet).lock;
    sandbox.now = addDuration(expiresAt, -1n);
    expectTooEarly("Lock.expiresAt", () => expireRenewal(network, paymentCid));
    sandbox.now = expiresAt;
    expireRenewal(network, paymentCid);
    expect(network.balanceOf(alice)).toBe(decimal("200.0"));
    const [idle] = sandbox.active(SubscriptionIdleState);
    expect(idle?.payload.nextPaymentDueAt).toBe(due);
  });
});

describe("a renewal that was not collected while its round was open", () => {
  test("can no longer be collected, though the entry lives; once it lapses it can be paid again", () => {
    const network = new NameNetwork();
    const { sandbox } = network;
    const name = network.register();
    sandbox.now = time("2026-03-10T00:00:00Z");
    const round = network.usableRound();
    const paymentCid = network.payRenewal(name.idleStateCid);
    for (let i = 0; i < 3; i++) network.advanceRounds();
    expectNotFound(() => network.collectRenewalAsDso(name, paymentCid, round));
    for (const open of network.openRounds()) {
      const label = `Round at subscription payment 2 matches round at collection ${open.payload.round.number}`;
      expectUnmet(label, () => network.collectRenewalAsDso(name, paymentCid, open));
    }
    const { subscriptionState } = expireRenewal(network, paymentCid);
    const renewed = network.renew({ ...name, idleStateCid: subscriptionState });
    expect(sandbox.isActive(renewed.entryCid)).toBe(true);
  });
});

describe("a payment whose owner took the coin out of the lapsed lock", () => {
  /** The owner may, from the lock's deadline on, without a word to the payment that refers to the lock. */
  function takeOut(network: NameNetwork, lockedAmulet: ContractId): void {
    const { sandbox } = network;
    sandbox.now = network.lockOf(lockedAmulet).lock.expiresAt;
    const choice = "LockedAmulet_OwnerExpireLockV2";
    sandbox.exercise(LockedAmulet, lockedAmulet, choice, {}, { actAs: [alice] });
    expect(network.balanceOf(alice)).toBe(decimal("200.0"));
  }

  test("cannot be collected, rejected or expired, if it is the first; only both parties can archive it", () => {
    const network = new NameNetwork();
    const { sandbox, dso } = network;
    const { entryCid: contextCid, requestCid } = network.requestEntry();
    const round = network.usableRound();
    const paymentCid = network.acceptRequest(requestCid);
    takeOut(network, sandbox.payloadOf(SubscriptionInitialPayment, paymentCid).lockedAmulet);

    expectNotFound(() => network.collectAsDso(contextCid, paymentCid, round));
    expectNotFound(() => network.rejectAsDso(contextCid, paymentCid));
    const argument = { actor: alice, transferContext: network.appContext() };
    const choice = "SubscriptionInitialPayment_Expire";
    expectNotFound(() =>
      sandbox.exercise(SubscriptionInitialPayment, paymentCid, choice, argument, network.as(alice)),
    );
    archiveContract(sandbox, SubscriptionInitialPayment, paymentCid, { actAs: [alice, dso] });
    expect(sandbox.isActive(paymentCid)).toBe(false);
  });

  test("cannot be collected, rejected or expired, if it is a renewal; only both parties can archive it", () => {
    const network = new NameNetwork();
    const { sandbox, dso } = network;
    const name = network.register();
    sandbox.now = time("2026-03-10T00:00:00Z");
    const round = network.usableRound();
    const paymentCid = network.payRenewal(name.idleStateCid);
    takeOut(network, sandbox.payloadOf(SubscriptionPayment, paymentCid).lockedAmulet);

    expectNotFound(() => network.collectRenewalAsDso(name, paymentCid, round));
    expectNotFound(() => expireRenewal(network, paymentCid));
    const argument = { transferContext: network.appContext() };
    const choice = "SubscriptionPayment_Reject";
    expectNotFound(() =>
      sandbox.exercise(SubscriptionPayment, paymentCid, choice, argument, { actAs: [dso] }),
    );
    archiveContract(sandbox, SubscriptionPayment, paymentCid, { actAs: [alice, dso] });
    expect(sandbox.active(SubscriptionIdleState)).toEqual([]);
  });
});
