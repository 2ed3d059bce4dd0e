/** A cancelled name is taken up again by its holder (decision 0054), with SVs that run. */

import { expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  addDuration,
  type ContractId,
  createCommand,
  entryTerms,
  SubscriptionIdleState,
  SubscriptionPayment,
  TakeUpRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MICROSECOND } from "../../packages/ledger/src/values/duration.ts";
import { startAll, stopAll } from "./network-views.ts";
import type { SvNetwork } from "./sv-network.ts";
import { Wallet, withAlice, withName } from "./wallet.ts";

const NAME = "alice.unverified.cns";

async function cancelled() {
  const { network, alice } = await withName(NAME);
  await alice.cancel();
  await network.settle();
  for (const template of [SubscriptionIdleState, AnsEntryContext, TerminatedSubscription])
    expect(network.active(template)).toEqual([]);
  return { network, alice, entry: network.only(AnsEntry) };
}

/** The request's id. */
async function takeUp(network: SvNetwork, wallet: Wallet): Promise<ContractId> {
  const { contractId: cid, payload } = network.only(AnsEntry);
  const { created } = await wallet.requestTakeUp({ name: payload.name, cid });
  return created[0]?.contract.contractId as ContractId;
}

/** Every request was accepted or discarded, without a failure. */
function expectSettled(network: SvNetwork, requests: readonly ContractId[]): void {
  for (const request of requests) expect(network.first.replica.state.findContract(request)).toBeUndefined();
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectNothingStuck();
  network.expectAgreement();
}

test("a cancelled name is taken up, paid for when it would have ended, and goes on as if never cancelled", async () => {
  const { network, alice, entry } = await cancelled();
  const balance = alice.balance();
  await network.moveAndSettle(10n * DAY);
  const request = await takeUp(network, alice);
  await network.settle();
  const end = addDuration(entry.payload.expiresAt, MICROSECOND);
  expect(network.only(AnsEntry).payload).toEqual({ ...entry.payload, expiresAt: end });
  const { payload: idle } = network.only(SubscriptionIdleState);
  expect([idle.nextPaymentDueAt, idle.reference]).toEqual([end, request]);
  expect(alice.balance()).toBe(balance);
  await network.moveAndSettle(60n * DAY);
  await alice.payRenewal();
  await network.settle();
  const renewed = addDuration(end, 90n * DAY);
  expect(network.only(AnsEntry).payload).toEqual({ ...entry.payload, expiresAt: renewed });
  expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(renewed);
  expect(alice.balance()).toBe(balance - decimal("200.0"));
  // Nobody pays for the next lifetime: the name ends, and nothing of it is left.
  await network.moveAndSettle(90n * DAY);
  await network.moveAndSettle(21n * DAY);
  for (const template of [AnsEntry, SubscriptionIdleState, AnsEntryContext, TerminatedSubscription])
    expect(network.active(template)).toEqual([]);
  expectSettled(network, [request]);
});

test("of several requests one is accepted, also by SVs that start late and find them all", async () => {
  const { network, alice } = await cancelled();
  await stopAll(network);
  const requests: ContractId[] = [];
  for (let i = 0; i < 3; i++) requests.push(await takeUp(network, alice));
  await startAll(network);
  expect(network.active(AnsEntry)).toHaveLength(1);
  expect(network.active(SubscriptionIdleState)).toHaveLength(1);
  expect(network.active(AnsEntryContext)).toHaveLength(1);
  expect(requests).toContain(network.only(SubscriptionIdleState).payload.reference);
  expectSettled(network, requests);
});

test("a request is discarded while the name has a subscription, or a payment on its way", async () => {
  const { network, alice } = await withName(NAME);
  const entry = network.only(AnsEntry);
  const early = await takeUp(network, alice);
  await network.settle();
  expect(network.only(AnsEntry)).toEqual(entry);
  await network.moveAndSettle(61n * DAY);
  await stopAll(network);
  await alice.payRenewal();
  expect(network.active(SubscriptionPayment)).toHaveLength(1);
  const late = await takeUp(network, alice);
  await startAll(network);
  // The renewal is collected, whichever of the two came first.
  expect(network.only(AnsEntry).payload.expiresAt).toBe(addDuration(entry.payload.expiresAt, 90n * DAY));
  expect(network.active(SubscriptionIdleState)).toHaveLength(1);
  expectSettled(network, [early, late]);
});

test("a request is discarded for another's name, on other terms, and for an entry that has ended", async () => {
  const { network, alice, entry } = await cancelled();
  const bob = await Wallet.open(network, "bob");
  const requests = [await takeUp(network, bob)];
  const terms = entryTerms(network.only(AnsRules).payload);
  const { dso } = network;
  const asked = { dso, user: alice.party, name: NAME, entry: entry.contractId, payData: terms };
  for (const change of [
    { payData: { ...terms, paymentDuration: { microseconds: 1n } } },
    { name: "bob.unverified.cns" },
    { entry: network.only(AnsRules).contractId as ContractId },
  ]) {
    const { created } = await alice.submit([createCommand(TakeUpRequest, { ...asked, ...change })]);
    requests.push(created[0]?.contract.contractId as ContractId);
  }
  await network.settle();
  expect(network.only(AnsEntry)).toEqual(entry);
  expectSettled(network, requests);
  await stopAll(network);
  requests.push(await takeUp(network, alice));
  await network.moveClock(91n * DAY);
  await startAll(network);
  expect(network.active(AnsEntry)).toEqual([]);
  expect(network.active(SubscriptionIdleState)).toEqual([]);
  expectSettled(network, requests);
});

test("another buyer's payment for a name that is taken up goes back", async () => {
  const { network, alice } = await cancelled();
  const bob = await Wallet.open(network, "bob");
  await bob.tap(decimal("300.0"));
  await stopAll(network);
  await bob.buy(NAME);
  const request = await takeUp(network, alice);
  await startAll(network);
  expect(network.only(AnsEntry).payload.user).toBe(alice.party);
  expect(bob.balance()).toBe(decimal("300.0"));
  expectSettled(network, [request]);
});

test("a network of an earlier protocol version rejects the request, and takes it once the version is activated", async () => {
  const { network, alice } = await withAlice({ founding: { protocolVersion: 1n } });
  await alice.buy(NAME);
  await network.settle();
  await alice.cancel();
  await network.settle();
  await expect(takeUp(network, alice)).rejects.toThrow("No package of that id is known");
  const { id } = network.first.identity;
  const keys = network.svs.map(({ identity }) => identity.signingKey);
  await network.append({ tag: "ActivateVersion", value: { ...network.once(id), version: 3n } }, keys);
  const request = await takeUp(network, alice);
  await network.settle();
  expect(network.active(SubscriptionIdleState)).toHaveLength(1);
  expectSettled(network, [request]);
});
