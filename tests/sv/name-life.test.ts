/** The life of a name, as four SVs' automations live it on a real log. */
import { expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { DAYS, SvNetwork } from "./sv-network.ts";
import { decimal, Wallet } from "./wallet.ts";

const NAME = "alice.unverified.cns";

function owners(network: SvNetwork) {
  return network.active(AnsEntry).map(({ payload }) => [payload.name, payload.user]);
}

test("a name is bought: it is live well under 300 ms after its payment", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  await alice.tap("1000.0");
  const request = await alice.request(NAME);
  await network.settle();
  const paidAt = performance.now();
  await alice.accept(request);
  await network.settle();
  expect(performance.now() - paidAt).toBeLessThan(300);
  expect(owners(network)).toEqual([[NAME, alice.party]]);
  expect(alice.balance()).toBe(decimal("800.0"));
  expect(alice.locked()).toBe(0n);
  expect(network.active(SubscriptionInitialPayment)).toEqual([]);
  expect(new Set(network.digests()).size).toBe(1);
  console.log(network.races(), performance.now() - paidAt);
});
