/** Contracts that Splice leaves stuck are freed (decision 0002): late renewals, split votes, requests that nobody answers. */

import { expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  addDuration,
  Confirmation,
  type ContractId,
  DsoRules,
  exerciseCommand,
  NameCare,
  OpenMiningRound,
  RequestWithdrawal,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import { Agenda } from "../../packages/sv/src/agenda/agenda.ts";
import { contentKey } from "../../packages/sv/src/kinds/keys.ts";
import { nameConfirmations, startAll, stopAll } from "./network-views.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { Wallet, withAlice, withName } from "./wallet.ts";

const NAME = "alice.unverified.cns";

function expectNothingLeft(network: SvNetwork): void {
  for (const template of [
    SubscriptionRequest,
    SubscriptionIdleState,
    SubscriptionPayment,
    AnsEntryContext,
    TerminatedSubscription,
    RequestWithdrawal,
  ])
    expect(network.active(template)).toEqual([]);
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectNothingStuck();
  network.expectAgreement();
}

test("a renewal that is paid after its due date goes back, and the subscription ends", async () => {
  const { network, alice } = await withName(NAME);
  await stopAll(network);
  await network.moveClock(91n * DAY);
  await alice.payRenewal();
  expect(alice.locked()).toBe(decimal("200.0"));
  await startAll(network);
  expect(alice.locked()).toBe(decimal("0.0"));
  expect(alice.balance()).toBe(decimal("800.0"));
  expectNothingLeft(network);
});

test("an owner who takes the coin of a renewal out by hand keeps nobody busy, and the name is free again at its end", async () => {
  const { network, alice } = await withName(NAME);
  const bob = await Wallet.open(network, "bob");
  await network.moveAndSettle(61n * DAY);
  await stopAll(network);
  await alice.payRenewal();
  await network.moveClock(2n * HOUR);
  await alice.takeOut();
  await startAll(network);
  expect(alice.balance()).toBe(decimal("800.0"));
  // No choice on the payment can succeed any more; it is not tried.
  expect(network.active(SubscriptionPayment)).toHaveLength(1);
  await network.moveAndSettle(30n * DAY);
  expect(network.active(AnsEntry)).toEqual([]);
  await bob.tap(decimal("200.0"));
  await bob.buy(NAME);
  await network.settle();
  expect(network.only(AnsEntry).payload.user).toBe(bob.party);
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectNothingStuck();
});

test("SVs that name different rounds in one rejection decide again, and the coin goes back", async () => {
  const { network, alice } = await withAlice();
  await stopAll(network);
  await alice.buy(NAME);
  const { round } = network.only(SubscriptionInitialPayment).payload;
  await network.advanceRoundsBeyond(round.number, 10n * MINUTE);
  const early = network.svs.slice(0, 2);
  await startAll(network, early);
  await stopAll(network);
  const [oldest] = network.active(OpenMiningRound);
  await network.advanceRoundsBeyond(oldest?.payload.round.number as bigint, 10n * MINUTE);
  await startAll(network, network.svs.slice(2));
  // Two SVs for each of two rounds: nobody has a quorum, and what the later two name has not opened yet.
  expect(new Set(nameConfirmations(network).map(({ payload }) => JSON.stringify(payload.action))).size).toBe(
    2,
  );
  expect(nameConfirmations(network)).toHaveLength(4);
  expect(network.active(OpenMiningRound).at(-1)?.payload.opensAt).toBeGreaterThan(network.now);
  expect(alice.locked()).toBe(decimal("200.0"));
  await startAll(network, early);
  await network.settle();
  expect(alice.locked()).toBe(decimal("0.0"));
  expect(alice.balance()).toBe(decimal("1000.0"));
  // The confirmation for the other round lapses: the ledger has no choice to remove it before.
  await network.moveAndSettle(61n * MINUTE);
  expect(nameConfirmations(network)).toEqual([]);
  expectNothingLeft(network);
});

test("confirmations that nobody needs any more go as soon as the ledger allows it", async () => {
  const { network } = await withName(NAME);
  // A confirmation after the quorum is wasted.
  const actions = network.everCreated(Confirmation);
  const { action } = actions.find(({ action: { tag } }) => tag === "ARC_AnsEntryContext") as Confirmation;
  const { party } = network.first;
  const argument = { confirmer: party, action };
  const rules = network.only(DsoRules).contractId;
  const command = exerciseCommand(DsoRules, rules, "DsoRules_ConfirmAction", argument);
  expect((await network.byHand(network.first, command)).verdict.kind).toBe("accepted");
  await network.settle();
  expect(nameConfirmations(network).length).toBeGreaterThan(0);
  // It waits for nobody: the payment is gone.
  const decided = network.first.automation.status().automations[0];
  expect(decided).toMatchObject({ automation: "decide-first-payments", waiting: 0, waits: [] });
  const late = nameConfirmations(network).map(({ payload }) => payload.expiresAt);
  const last = late.reduce((a, b) => (b > a ? b : a));
  await network.moveAndSettle(last - network.now);
  expect(nameConfirmations(network)).toEqual([]);
});

test("a request that nobody answers is announced after 30 days and withdrawn after 30 more", async () => {
  const { network, alice } = await withAlice();
  const request = await alice.request(NAME);
  await network.settle();
  await network.moveAndSettle(30n * DAY - HOUR);
  expect(network.active(RequestWithdrawal)).toEqual([]);
  await network.moveAndSettle(HOUR);
  const { payload } = network.only(RequestWithdrawal);
  expect(payload).toMatchObject({ user: alice.party, reference: request });
  const status = network.first.automation
    .status()
    .automations.find((a) => a.automation === "withdraw-requests");
  expect(status?.nextDueAt).toBe(payload.withdrawableAt);
  await network.moveAndSettle(payload.withdrawableAt - network.now - MINUTE);
  expect(network.only(SubscriptionRequest).contractId).toBe(request);
  await network.moveAndSettle(MINUTE);
  expectNothingLeft(network);
});

test.each([
  ["paid", (alice: Wallet, request: never) => alice.accept(request)],
  ["rejected", (alice: Wallet, request: never) => alice.rejectRequest(request)],
])("a request that is %s after the announcement makes it void", async (what, answer) => {
  const { network, alice } = await withAlice();
  const request = await alice.request(NAME);
  await network.moveAndSettle(31n * DAY);
  expect(network.active(RequestWithdrawal)).toHaveLength(1);
  await answer(alice, request as never);
  await network.settle();
  expect(network.active(RequestWithdrawal)).toEqual([]);
  expect(network.active(AnsEntry)).toHaveLength(what === "paid" ? 1 : 0);
  await network.moveAndSettle(31n * DAY);
  expect(network.active(AnsEntry)).toHaveLength(what === "paid" ? 1 : 0);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("a request whose context its user has ended is withdrawn alone", async () => {
  const { network, alice } = await withAlice();
  await alice.request(NAME);
  await alice.endOwnContext();
  await network.moveAndSettle(31n * DAY);
  await network.moveAndSettle(30n * DAY);
  expect(network.active(SubscriptionRequest)).toEqual([]);
  expect(network.active(RequestWithdrawal)).toEqual([]);
  // Only its user could remove the tombstone.
  expect(network.active(TerminatedSubscription)).toHaveLength(1);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("many requests of one submission are each found, paid for, announced and withdrawn", async () => {
  const { network, alice } = await withAlice();
  const rules = network.only(AnsRules).contractId;
  const commands = Array.from({ length: 120 }, (_, i) => {
    const argument = { name: `alice-${i}.unverified.cns`, url: "", description: "", user: alice.party };
    return exerciseCommand(AnsRules, rules, "AnsRules_RequestEntry", argument);
  });
  await alice.submit(commands, [rules]);
  const last = network.active(SubscriptionRequest).at(-1);
  await alice.accept(last?.contractId as ContractId);
  await network.settle();
  expect(network.only(AnsEntry).payload.name).toBe("alice-119.unverified.cns");
  await network.moveAndSettle(30n * DAY);
  expect(network.active(RequestWithdrawal)).toHaveLength(119);
  await network.moveAndSettle(31n * DAY);
  expect(network.active(SubscriptionRequest)).toEqual([]);
  expect(network.active(RequestWithdrawal)).toEqual([]);
  expect(network.active(AnsEntryContext)).toHaveLength(1);
  network.expectNothingStuck();
});

test("of two announcements one is discarded, and the notice of the earlier one counts", async () => {
  const { network, alice } = await withAlice();
  const requestCid = await alice.request(NAME);
  await network.moveAndSettle(31n * DAY);
  const { withdrawableAt } = network.only(RequestWithdrawal).payload;
  const sv = network.svs[1] as UnservedSv;
  const argument = { sv: sv.party, dsoRulesCid: network.only(DsoRules).contractId, requestCid };
  const careCid = network.only(NameCare).contractId;
  await network.moveClock(DAY);
  await network.byHand(sv, exerciseCommand(NameCare, careCid, "NameCare_AnnounceWithdrawal", argument));
  await network.settle();
  expect(network.countCreated(RequestWithdrawal)).toBe(2);
  expect(network.only(RequestWithdrawal).payload.withdrawableAt).toBe(withdrawableAt);
});

test("an SV's own limit for unanswered requests applies to existing requests, too", async () => {
  const { network, alice } = await withAlice();
  const request = await alice.request(NAME);
  const requestedAt = network.now;
  await network.settle();
  const { state } = network.first.replica;
  const dueOf = (agenda: Agenda) =>
    agenda.rows.listBy(SubscriptionRequest, "referenceKey", contentKey(request), 10).map(({ due }) => due);
  for (const [options, wait] of [
    [{ requestWaitMicroseconds: 2n * DAY }, 2n * DAY],
    [{ requestWaitMicroseconds: 60n * DAY }, 60n * DAY],
    [{}, 30n * DAY],
  ] as const) {
    const due = addDuration(requestedAt, wait);
    expect(dueOf(new Agenda(state, sha256, options))).toEqual([due]);
    expect(dueOf(new Agenda(state, sha256, options))).toEqual([due]);
  }
  for (const requestWaitMicroseconds of [-1n, 36_500n * DAY + 1n]) {
    expect(() => new Agenda(state, sha256, { requestWaitMicroseconds })).toThrow("it must be from 0 to");
  }
});
