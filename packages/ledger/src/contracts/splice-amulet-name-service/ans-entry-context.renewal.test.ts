import { describe, expect, test } from "vitest";
import { aliceEntry, NameNetwork } from "../../../testing/name-fixture.ts";
import { expectNotFound, expectUnauthorized, expectUnmet } from "../../../testing/rejection.ts";
import { alice, bob } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { DAY } from "../../values/duration.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionIdleState,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry, AnsEntryContext } from "./declarations/ans.ts";

describe("AnsEntryContext_CollectEntryRenewalPayment", () => {
  const due = time("2026-04-01T00:00:00Z");

  /** Registered at 2026-01-01T00:00:00Z, renewal paid two days before the entry expires. */
  function withRenewal(network = new NameNetwork()) {
    const name = network.register();
    network.sandbox.now = addDuration(due, -2n * DAY);
    return { network, name, paymentCid: network.payRenewal(name.idleStateCid) };
  }

  test("burns the fee and replaces the entry by one that lives an interval longer", () => {
    const { network, name, paymentCid } = withRenewal();
    const { sandbox, dso } = network;
    const { entryCid, subscriptionStateCid } = network.collectRenewalAsDso(name, paymentCid);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionPayment", "LockedAmulet", "AnsEntry"],
      created: ["SubscriptionIdleState", "AnsEntry"],
    });
    const expiresAt = time("2026-06-30T00:00:00Z");
    expect(entryCid).not.toBe(name.entryCid);
    expect(sandbox.active(AnsEntry)).toEqual([
      { contractId: entryCid, payload: { user: alice, dso, ...aliceEntry, expiresAt } },
    ]);
    expect(sandbox.payloadOf(SubscriptionIdleState, subscriptionStateCid).nextPaymentDueAt).toBe(expiresAt);
    expect(sandbox.active(Amulet)).toEqual([]);
    expect(exercisesOf(sandbox).map(([choice]) => choice)).toEqual([
      "AnsEntryContext_CollectEntryRenewalPayment",
      "AnsRules_CollectEntryRenewalPayment",
      "SubscriptionPayment_Collect",
      "OpenMiningRound_Fetch",
      "LockedAmulet_UnlockV2",
      "AmuletRules_Transfer",
      "Archive",
      "Archive",
      "AnsEntry_Renew",
    ]);
  });

  test("works until a microsecond before the entry expires", () => {
    const { network, name, paymentCid } = withRenewal();
    for (const after of [0n, 1n]) {
      network.sandbox.now = addDuration(due, after);
      expectUnmet("Current entry is not expired", () => network.collectRenewalAsDso(name, paymentCid));
    }
    network.sandbox.now = addDuration(due, -1n);
    network.collectRenewalAsDso(name, paymentCid);
  });

  test("works in the round of the payment only", () => {
    const { network, name, paymentCid } = withRenewal();
    expectUnmet("Round at subscription payment 2 matches round at collection 1", () =>
      network.collectRenewalAsDso(name, paymentCid, network.openRound(1n)),
    );
  });

  test.each([
    ["name", { name: "other.unverified.cns" }],
    ["url", { url: "https://other.example" }],
    ["description", { description: "other" }],
  ])("is refused for an entry with another %s", (_what, change) => {
    const { network, name, paymentCid } = withRenewal();
    const { sandbox, dso } = network;
    const payload = { ...sandbox.payloadOf(AnsEntry, name.entryCid), ...change };
    const entryCid = sandbox.create(AnsEntry, payload, { actAs: [alice, dso] });
    expectUnmet("Current entry matches subscription context", () =>
      network.collectRenewalAsDso({ ...name, entryCid }, paymentCid),
    );
  });

  test("is refused for another user's entry of the same content", () => {
    const { network, name, paymentCid } = withRenewal();
    const { sandbox, dso } = network;
    const payload = { ...sandbox.payloadOf(AnsEntry, name.entryCid), user: bob };
    const entryCid = sandbox.create(AnsEntry, payload, { actAs: [bob, dso] });
    expectUnmet("Current entry matches subscription context", () =>
      network.collectRenewalAsDso({ ...name, entryCid }, paymentCid),
    );
  });

  test.each([-1n, 1n])("is refused for an entry that expires %s microseconds off the due date", (off) => {
    const { network, name, paymentCid } = withRenewal();
    const { sandbox, dso } = network;
    const payload = { ...sandbox.payloadOf(AnsEntry, name.entryCid), expiresAt: addDuration(due, off) };
    const entryCid = sandbox.create(AnsEntry, payload, { actAs: [alice, dso] });
    expectUnmet("Subscription entry renewal times are in sync", () =>
      network.collectRenewalAsDso({ ...name, entryCid }, paymentCid),
    );
  });

  test("is refused for the payment of another subscription of the user", () => {
    const network = new NameNetwork();
    const other = network.register({ name: "other.unverified.cns" });
    const { name } = withRenewal(network);
    const otherPayment = network.payRenewal(other.idleStateCid);
    expectUnmet("Subscription reference matches", () => network.collectRenewalAsDso(name, otherPayment));
  });

  test("is refused for another user's payment", () => {
    const network = new NameNetwork();
    const bobs = network.register({ name: "bob.unverified.cns" }, bob);
    const { name } = withRenewal(network);
    const bobsPayment = network.payRenewal(bobs.idleStateCid, bob);
    expectUnmet("Sender matches", () => network.collectRenewalAsDso(name, bobsPayment));
  });

  test("is refused to the user", () => {
    const { network, name, paymentCid } = withRenewal();
    const { entryCid } = name;
    const transferContext = network.appContext();
    const argument = { paymentCid, entryCid, transferContext, ansRulesCid: network.ansRules };
    const as = { ...network.as(alice), readAs: [network.dso] };
    const choice = "AnsEntryContext_CollectEntryRenewalPayment";
    expectUnauthorized(() =>
      network.sandbox.exercise(AnsEntryContext, name.contextCid, choice, argument, as),
    );
  });

  test("works once", () => {
    const { network, name, paymentCid } = withRenewal();
    const renewed = network.collectRenewalAsDso(name, paymentCid);
    expectNotFound(() => network.collectRenewalAsDso({ ...name, entryCid: renewed.entryCid }, paymentCid));
  });

  test("fails as a whole if the payment's subscription is gone", () => {
    const { network, name, paymentCid } = withRenewal();
    const { sandbox, dso } = network;
    const paid = sandbox.payloadOf(SubscriptionPayment, paymentCid);
    const dangling = { ...paid, subscription: name.idleStateCid };
    const forged = sandbox.create(SubscriptionPayment, dangling, { actAs: [alice, dso] });
    expectNotFound(() => network.collectRenewalAsDso(name, forged));
  });
});
