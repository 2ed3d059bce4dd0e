/** The life of a name, as four SVs' automations live it on a real log. */

import { expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  addDuration,
  OpenMiningRound,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { allCoin, nameConfirmations, startAll, stopAll } from "./network-views.ts";
import { SvNetwork } from "./sv-network.ts";
import { Wallet, withAlice, withName } from "./wallet.ts";

/** The payment, three confirmations and the collection; on a busy machine every SV confirms and collects. */
const MOST_ENTRIES = 9;
const NAME = "alice.unverified.cns";

function owners(network: SvNetwork) {
  return network.active(AnsEntry).map(({ payload }) => [payload.name, payload.user]);
}

/** Nothing of a subscription is left. */
function expectNoSubscription(network: SvNetwork) {
  expect(network.active(SubscriptionIdleState)).toEqual([]);
  expect(network.active(SubscriptionPayment)).toEqual([]);
  expect(network.active(TerminatedSubscription)).toEqual([]);
  expect(network.active(AnsEntryContext)).toEqual([]);
}

test("a bought name is live as soon as a quorum of SVs has confirmed its payment", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal("1000.0"));
  for (const name of ["a", "b", "c"]) {
    const request = await alice.request(`${name}.unverified.cns`);
    await network.settle();
    const { sequence } = await network.log.head();
    await alice.accept(request);
    await network.settle();
    expect((await network.log.head()).sequence - sequence).toBeLessThanOrEqual(MOST_ENTRIES);
  }
  expect(owners(network)).toEqual(["a", "b", "c"].map((name) => [`${name}.unverified.cns`, alice.party]));
  expect(alice.balance()).toBe(decimal("400.0"));
  expect(allCoin(network)).toBe(decimal("400.0"));
  expect(network.active(SubscriptionInitialPayment)).toEqual([]);
  network.expectAgreement();
});

test("two buyers race: the earlier payment gets the name, the other is refunded to the last digit", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  const bob = await Wallet.open(network, "bob");
  await alice.tap(decimal("300.0"));
  await bob.tap(decimal("300.0"));
  const [hers, his] = [await alice.request(NAME), await bob.request(NAME)];
  const [first, second] = await Promise.all([alice.accept(hers), bob.accept(his)]);
  await network.settle();
  const winner = first.head.sequence < second.head.sequence ? alice : bob;
  const loser = winner === alice ? bob : alice;
  expect(owners(network)).toEqual([[NAME, winner.party]]);
  expect(winner.balance()).toBe(decimal("100.0"));
  expect(loser.balance()).toBe(decimal("300.0"));
  expect(allCoin(network)).toBe(decimal("400.0"));
  expect(network.active(AnsEntryContext).map(({ payload }) => payload.user)).toEqual([winner.party]);
  network.expectAgreement();
});

test.each([
  ["a name with a capital letter", "Alice.unverified.cns", {}],
  ["a name of another service", "alice.unverified.ans", {}],
  ["a url that is none", NAME, { url: "nowhere" }],
  ["a description that is too long", NAME, { description: "d".repeat(141) }],
])("%s is refunded, and leaves nothing behind", async (_what, name, more) => {
  const { network, alice } = await withAlice({ coin: "250.0" });
  await alice.buy(name, more);
  await network.settle();
  expect(owners(network)).toEqual([]);
  expect(alice.balance()).toBe(decimal("250.0"));
  expectNoSubscription(network);
  network.expectAgreement();
});

test("a name that somebody holds is refunded", async () => {
  const { network, alice } = await withName(NAME);
  const bob = await Wallet.open(network, "bob");
  await bob.tap(decimal("200.0"));
  await bob.buy(NAME);
  await network.settle();
  expect(bob.balance()).toBe(decimal("200.0"));
  expect(owners(network)).toEqual([[NAME, alice.party]]);
});

test("a renewal is collected, and moves the end by 90 days", async () => {
  const { network, alice } = await withName(NAME);
  const { expiresAt } = network.only(AnsEntry).payload;
  await network.moveAndSettle(61n * DAY);
  await alice.payRenewal();
  await network.settle();
  expect(network.only(AnsEntry).payload.expiresAt).toBe(addDuration(expiresAt, 90n * DAY));
  expect(alice.idleState()?.payload.nextPaymentDueAt).toBe(addDuration(expiresAt, 90n * DAY));
  expect(allCoin(network)).toBe(decimal("600.0"));
  await network.moveAndSettle(80n * DAY);
  expect(owners(network)).toEqual([[NAME, alice.party]]);
  network.expectAgreement();
});

test("a renewal that comes too late is given back, and then the name lapses", async () => {
  const { network, alice } = await withName(NAME);
  await network.moveAndSettle(89n * DAY);
  await stopAll(network);
  await alice.payRenewal();
  expect(alice.locked()).toBe(decimal("200.0"));
  await network.moveClock(2n * DAY);
  await startAll(network);
  expect(alice.balance()).toBe(decimal("800.0"));
  expect(owners(network)).toEqual([]);
  expectNoSubscription(network);
  network.expectAgreement();
});

test("a renewal whose round has closed is given back, and can be paid again", async () => {
  const { network, alice } = await withName(NAME);
  await network.moveAndSettle(61n * DAY);
  await stopAll(network);
  await alice.payRenewal();
  // Nobody collects while rounds go by.
  const { round } = network.only(SubscriptionPayment).payload;
  await network.advanceRoundsBeyond(round.number);
  await startAll(network);
  expect(alice.balance()).toBe(decimal("800.0"));
  await alice.payRenewal();
  await network.settle();
  expect(alice.balance()).toBe(decimal("600.0"));
  network.expectAgreement();
});

test("a name that nobody renews is gone after its 90 days, with its subscription, and can be bought again", async () => {
  const { network } = await withName(NAME);
  const { expiresAt } = network.only(AnsEntry).payload;
  await network.moveClock(expiresAt - network.now - 10_000_000n);
  await network.settle();
  expect(owners(network)).toHaveLength(1);
  await network.moveAndSettle(11_000_000n);
  expect(owners(network)).toEqual([]);
  expectNoSubscription(network);
  const bob = await Wallet.open(network, "bob");
  await bob.tap(decimal("200.0"));
  await bob.buy(NAME);
  await network.settle();
  expect(owners(network)).toEqual([[NAME, bob.party]]);
  network.expectAgreement();
});

test("a cancelled subscription is ended at once, the entry at its time", async () => {
  const { network, alice } = await withName(NAME);
  await alice.cancel();
  await network.settle();
  expectNoSubscription(network);
  expect(owners(network)).toEqual([[NAME, alice.party]]);
  await network.moveAndSettle(91n * DAY);
  expect(owners(network)).toEqual([]);
  network.expectAgreement();
});

test("a request that the user rejects is cleared away", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  await alice.rejectRequest(await alice.request(NAME));
  await network.settle();
  expectNoSubscription(network);
});

test("confirmations that came after the quorum lapse", async () => {
  const { network } = await withName(NAME);
  await network.moveAndSettle(2n * HOUR);
  expect(nameConfirmations(network)).toEqual([]);
});

test("after a jump of 90 days one new round is enough; the next is due a tick later", async () => {
  const network = await SvNetwork.found();
  await network.settle();
  const before = network.active(OpenMiningRound).map(({ payload }) => payload.round.number);
  await network.moveAndSettle(90n * DAY);
  const rounds = network.active(OpenMiningRound).map(({ payload }) => payload.round.number);
  expect(rounds).toEqual(before.map((number) => number + 1n));
  const newest = network.active(OpenMiningRound).at(-1)?.payload;
  expect(network.first.automation.nextDue()).toBe(newest?.opensAt);
  await network.moveAndSettle(HOUR);
  expect(network.active(OpenMiningRound).at(-1)?.payload.round.number).toBe(
    (newest?.round.number ?? 0n) + 1n,
  );
  network.expectAgreement();
});
