/** Failures of SVs, one at a time, leave no trace on the ledger. */

import { expect, test } from "vitest";
import {
  AnsEntry,
  type AnyTemplateDeclaration,
  createCommand,
  type PayloadOf,
  parseTime,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { VirtualHost } from "../../packages/node/testing/virtual-host.ts";
import { ownPayment, ownSubscription } from "../scenarios/forged-payloads.ts";
import { allCoin, nameConfirmations } from "./network-views.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { Wallet, withAlice } from "./wallet.ts";

const NAME = "alice.unverified.cns";

function names(network: SvNetwork): readonly string[] {
  return network.active(AnsEntry).map(({ payload }) => payload.name);
}

test("an SV that restarts in the middle goes on from the ledger", async () => {
  const { network, alice } = await withAlice();
  const [first, second, third, fourth] = network.svs as [UnservedSv, UnservedSv, UnservedSv, UnservedSv];
  await third.automation.stop();
  await fourth.automation.stop();
  await alice.buy(NAME);
  await network.settle([first, second]);
  expect(nameConfirmations(network)).toHaveLength(2);
  expect(names(network)).toEqual([]);
  third.automation = third.newAutomation();
  third.automation.start();
  await network.settle([first, second, third]);
  expect(names(network)).toEqual([NAME]);
  fourth.automation.start();
  await network.settle();
  expect(allCoin(network)).toBe(decimal("800.0"));
  network.expectAgreement();
});

test("a node that was closed and opened again catches up, and does its part", async () => {
  const folder = temporaryFolder();
  const { network, alice } = await withAlice({ folder });
  await network.restart(1, async () => {
    await alice.buy(NAME);
    await network.settle(network.svs.filter((_, i) => i !== 1));
    expect(names(network)).toEqual([NAME]);
  });
  await network.settle();
  await alice.buy("bob.unverified.cns");
  await network.settle();
  expect(names(network)).toEqual([NAME, "bob.unverified.cns"]);
  network.expectAgreement();
});

test("two instances of every SV do the work once", async () => {
  const { network, alice } = await withAlice();
  const twins = network.svs.map((sv) => sv.newAutomation());
  for (const twin of twins) twin.start();
  await alice.buy(NAME);
  await alice.buy("Bad.unverified.cns");
  await network.settle();
  await Promise.all(twins.map((twin) => twin.idle()));
  await network.settle();
  expect(names(network)).toEqual([NAME]);
  expect(alice.balance()).toBe(decimal("800.0"));
  await network.moveAndSettle(61n * DAY);
  await alice.payRenewal();
  await network.settle();
  expect(allCoin(network)).toBe(decimal("600.0"));
  for (const twin of twins) await twin.stop();
  expect(nameConfirmations(network)).toEqual([]);
  network.expectAgreement();
});

test("with one SV of four dead, names are bought all the same", async () => {
  const { network, alice } = await withAlice();
  const [dead, ...alive] = network.svs as [UnservedSv, ...UnservedSv[]];
  await dead.automation.stop();
  const wanted = ["a", "b", "c", "d"].map((label) => `${label}.unverified.cns`);
  for (const name of wanted) {
    await alice.buy(name);
    await network.settle(alive);
  }
  expect(names(network)).toEqual(wanted);
  await network.moveClock(91n * DAY);
  await network.settle(alive);
  expect(names(network)).toEqual([]);
  expect(network.active(SubscriptionIdleState)).toEqual([]);
  network.expectAgreement();
});

test("contracts that the DSO did not sign count for nothing", async () => {
  const { network, alice } = await withAlice();
  const bob = await Wallet.open(network, "bob");
  const write = <T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>) =>
    bob.submit([createCommand(template, payload)]);
  const until = parseTime("2030-01-01T00:00:00Z");
  if (!until.ok) throw new Error(until.error);
  const entry = { user: bob.party, dso: bob.party, url: "", description: "" };
  await write(AnsEntry, { ...entry, name: NAME, expiresAt: until.value });
  await write(AnsEntry, { ...entry, name: NAME, expiresAt: network.now });
  const request = await alice.request(NAME);
  const subscriptionData = ownSubscription(bob.party, network.dso);
  await write(SubscriptionInitialPayment, ownPayment(subscriptionData, request, 0n));
  await alice.accept(request);
  await network.settle();
  expect(names(network)).toEqual([NAME]);
  const { reference } = network.only(SubscriptionIdleState).payload;
  await write(TerminatedSubscription, { subscriptionData, reference });
  await network.settle();
  await network.moveAndSettle(61n * DAY);
  await alice.payRenewal();
  await network.settle();
  expect(allCoin(network)).toBe(decimal("600.0"));
  expect(network.active(AnsEntry, null)).toHaveLength(3);
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectAgreement();
});

test("a user who ends the context of a running subscription keeps nobody busy", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  await alice.endOwnContext();
  await network.settle();
  await network.moveAndSettle(91n * DAY);
  expect(names(network)).toEqual([]);
  // Without its context nobody can end it on the ledger; it is not tried.
  expect(network.active(SubscriptionIdleState)).toHaveLength(1);
  const { sequence } = await network.log.head();
  await network.moveAndSettle(60_000_000n);
  expect((await network.log.head()).sequence).toBe(sequence + 1);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("an SV whose sequencer is gone tries less and less often, and says what is stuck", async () => {
  const { network, alice } = await withAlice();
  const [cut, ...others] = network.svs as [UnservedSv, ...UnservedSv[]];
  await cut.automation.stop();
  for (const { automation } of others.slice(1)) await automation.stop();
  const host = new VirtualHost();
  const tries: number[] = [];
  const noSequencer = async () => {
    tries.push(host.clock.elapsedMilliseconds());
    throw new Error("no sequencer answers");
  };
  const automation = cut.newAutomation(noSequencer, { host });
  const goOnUntil = (holds: () => boolean, what: string) =>
    until(async () => {
      await host.advance(10);
      return holds();
    }, what);
  automation.start();
  await alice.buy(NAME);
  await goOnUntil(() => automation.status().stuck.length > 0, "the task is stuck");
  expect(tries).toHaveLength(4);
  const pauses = tries.slice(1).map((at, i) => at - (tries[i] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  const { stuck, failed, accepted } = automation.status();
  expect({ accepted, failed }).toEqual({ accepted: 0, failed: 4 });
  expect(stuck).toEqual([
    { task: expect.stringMatching(/^confirm /), failures: 4, reason: "no sequencer answers" },
  ]);
  for (const sv of others) sv.automation.start();
  await network.settle(others);
  expect(names(network)).toEqual([NAME]);
  await goOnUntil(() => automation.status().idle, "nothing is left to do");
  expect(automation.status().stuck).toEqual([]);
  await automation.stop();
});

test("an SV whose sequencer never answers can be stopped, and started again", async () => {
  const { network, alice } = await withAlice();
  const [mute, ...others] = network.svs as [UnservedSv, ...UnservedSv[]];
  await mute.automation.stop();
  mute.automation = mute.newAutomation(() => new Promise(() => undefined));
  mute.automation.start();
  // A round opens, for which every SV receives its own rewards.
  await network.moveClock(10n * MINUTE);
  await alice.buy(NAME);
  await network.settle(others);
  expect(names(network)).toEqual([NAME]);
  // At least its rewards; its confirmation, and the execution too where it comes first.
  expect(mute.automation.status().inFlight).toBeGreaterThan(0);
  expect(mute.automation.status().idle).toBe(false);
  await mute.automation.stop();
  expect(mute.automation.status()).toMatchObject({ inFlight: 0 });
  mute.automation = mute.newAutomation();
  mute.automation.start();
  await network.settle();
  network.expectAgreement();
});

test("an idle network does nothing, and says when it will", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  const { sequence } = await network.log.head();
  await network.moveAndSettle(1_000_000n);
  expect((await network.log.head()).sequence).toBe(sequence + 1);
  const due = network.first.automation.nextDue();
  expect(due).not.toBeNull();
  expect(Number((due ?? 0n) - network.now)).toBeGreaterThan(0);
  expect(Number((due ?? 0n) - network.now)).toBeLessThan(Number(HOUR));
});

test("many buyers at once, and all their names at their end: few submissions are lost", async () => {
  const { network } = await withAlice();
  const wallets = await Promise.all(["b", "c", "d", "e"].map((name) => Wallet.open(network, name)));
  await Promise.all(wallets.map((wallet) => wallet.tap(decimal("5000.0"))));
  await Promise.all(
    wallets.map(async (wallet, w) => {
      for (let i = 0; i < 20; i++) await wallet.buy(`name-${w}-${i}.unverified.cns`);
    }),
  );
  await network.settle();
  expect(names(network)).toHaveLength(80);
  expect(allCoin(network)).toBe(decimal("5000.0"));
  await network.moveAndSettle(91n * DAY);
  expect(names(network)).toEqual([]);
  expect(network.active(SubscriptionIdleState)).toEqual([]);
  expect(nameConfirmations(network)).toEqual([]);
  const { accepted, lost, failed } = network.races();
  expect(lost / accepted).toBeLessThan(0.2);
  expect(failed).toBe(0);
  network.expectAgreement();
});
