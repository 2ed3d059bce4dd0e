import { describe, expect, test } from "vitest";
import { DsoFixture, ENTRY_LIFETIME, RENEWAL_DURATION } from "../../../testing/dso-fixture.ts";
import { collectAction, collectRenewal, NameOwner, rejectAction } from "../../../testing/dso-names.ts";
import { expectNotFound, expectUnauthorized, expectUnmet } from "../../../testing/rejection.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AnsEntry, AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { Confirmation } from "./declarations/dso-rules.ts";

const NAME = "alice.unverified.cns";

/** The number of contracts of each template that a name and its payments consist of. */
function counts({ sandbox }: DsoFixture) {
  const templates = [
    AnsEntry,
    AnsEntryContext,
    SubscriptionRequest,
    SubscriptionInitialPayment,
    Subscription,
    SubscriptionIdleState,
    SubscriptionPayment,
    TerminatedSubscription,
    Amulet,
    LockedAmulet,
    Confirmation,
  ];
  const found = templates.map((template) => [template.entity, sandbox.active(template).length] as const);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

const LIVE_NAME = { AnsEntry: 1, AnsEntryContext: 1, Subscription: 1, SubscriptionIdleState: 1 };

function registered(svCount = 4) {
  const network = new DsoFixture({ svCount });
  const owner = new NameOwner(network, "alice");
  return {
    network,
    sandbox: network.sandbox,
    owner,
    ...owner.register({ name: NAME, url: "https://alice.org" }),
  };
}

describe("the first payment for a name", () => {
  test("is collected by a quorum: the coin is burned, the name lives for 90 days", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    owner.tap("250.0");
    const { contextCid, requestCid } = owner.request({
      name: NAME,
      url: "https://alice.org",
      description: "me",
    });
    const paymentCid = owner.accept(requestCid);
    expect(counts(network)).toEqual({
      AnsEntryContext: 1,
      SubscriptionInitialPayment: 1,
      LockedAmulet: 1,
      Amulet: 1,
    });
    network.agree(collectAction(network, contextCid, paymentCid));
    // The coin that is left is the change: 250 − 1 USD ÷ 0.005.
    expect(counts(network)).toEqual({ ...LIVE_NAME, Amulet: 1 });
    expect(owner.coins().map(({ payload }) => payload.amount.initialAmount)).toEqual([decimal("50.0")]);
    const due = addDuration(network.sandbox.now, ENTRY_LIFETIME);
    expect(network.only(AnsEntry).payload).toEqual({
      user: owner.user,
      dso: network.dso,
      name: NAME,
      url: "https://alice.org",
      description: "me",
      expiresAt: due,
    });
    expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(due);
  });

  test("is not collected by fewer", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    owner.tap("200.0");
    const { contextCid, requestCid } = owner.request({ name: NAME });
    const action = collectAction(network, contextCid, owner.accept(requestCid));
    const two = [network.confirm(action, network.sv(0)), network.confirm(action, network.sv(1))];
    expectUnmet("Enough confirmations", () => network.execute(action, two));
    expect(network.sandbox.active(AnsEntry)).toEqual([]);
  });

  test("is given back by a quorum for a bad url: no entry, no payment, the same coin again", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    const tapped = network.sandbox.payloadOf(Amulet, owner.tap("200.0"));
    const { contextCid, requestCid } = owner.request({ name: NAME, url: "s3://bucket" });
    network.agree(rejectAction(network, contextCid, owner.accept(requestCid)));
    expect(counts(network)).toEqual({ AnsEntryContext: 1, TerminatedSubscription: 1, Amulet: 1 });
    expect(owner.coins().map(({ payload }) => payload)).toEqual([tapped]);

    const terminatedSubscriptionCid = network.only(TerminatedSubscription).contractId;
    network.bySv("DsoRules_TerminateSubscription", {
      ansEntryContextCid: contextCid,
      terminatedSubscriptionCid,
    });
    expect(counts(network)).toEqual({ Amulet: 1 });
  });

  test("leaves a surplus confirmation, which does nothing", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    owner.tap("200.0");
    const { contextCid, requestCid } = owner.request({ name: NAME });
    const action = collectAction(network, contextCid, owner.accept(requestCid));
    const [surplus, ...quorum] = network.svs.map((sv) => network.confirm(action, sv));
    network.execute(action, quorum);
    expect(network.sandbox.active(Confirmation).map(({ contractId }) => contractId)).toEqual([surplus]);
    // The round, the rules and the context are still there, but the payment is not.
    const again = [network.sv(1), network.sv(2), network.sv(3)].map((sv) => network.confirm(action, sv));
    expectNotFound(() => network.execute(action, again));
    expect(network.sandbox.active(AnsEntry)).toHaveLength(1);
  });
});

describe("a renewal", () => {
  test("is collected by a single SV and adds 90 days to the expiry, whenever it was paid", () => {
    const { network, sandbox, owner, contextCid, entryCid, idleStateCid } = registered();
    const expiresAt = sandbox.payloadOf(AnsEntry, entryCid).expiresAt;
    owner.tap("200.0");
    sandbox.advance(ENTRY_LIFETIME - RENEWAL_DURATION);
    const paymentCid = owner.payRenewal(idleStateCid);
    sandbox.advance(DAY);
    const renewed = collectRenewal(network, { contextCid, entryCid, paymentCid }, network.sv(3));
    expect(counts(network)).toEqual(LIVE_NAME);
    const due = addDuration(expiresAt, ENTRY_LIFETIME);
    expect(sandbox.payloadOf(AnsEntry, renewed.ansEntry).expiresAt).toBe(due);
    expect(sandbox.payloadOf(SubscriptionIdleState, renewed.subscriptionState).nextPaymentDueAt).toBe(due);
  });

  test.each([
    { when: "one microsecond before the expiry", before: MICROSECOND, collected: true },
    { when: "at the expiry", before: 0n, collected: false },
    { when: "one microsecond after the expiry", before: -MICROSECOND, collected: false },
  ])("can be collected $when: $collected", ({ before, collected }) => {
    const { network, sandbox, owner, contextCid, entryCid, idleStateCid } = registered();
    owner.tap("200.0");
    sandbox.advance(ENTRY_LIFETIME - RENEWAL_DURATION);
    const paymentCid = owner.payRenewal(idleStateCid);
    sandbox.advance(RENEWAL_DURATION - before);
    const collect = () => collectRenewal(network, { contextCid, entryCid, paymentCid });
    if (collected) expect(collect().ansEntry).toBe(network.only(AnsEntry).contractId);
    else expectUnmet("Current entry is not expired", collect);
  });

  test("is not collected twice", () => {
    const { network, sandbox, owner, contextCid, entryCid, idleStateCid } = registered();
    owner.tap("200.0");
    sandbox.advance(ENTRY_LIFETIME - RENEWAL_DURATION);
    const paymentCid = owner.payRenewal(idleStateCid);
    const round = network.usableRound().contractId;
    collectRenewal(network, { contextCid, entryCid, paymentCid });
    const choiceArg = {
      paymentCid,
      entryCid: network.only(AnsEntry).contractId,
      transferContext: { amuletRules: network.amuletRules, openMiningRound: round, featuredAppRight: null },
      ansRulesCid: network.ansRules,
    };
    const argument = { ansEntryContextCid: contextCid, choiceArg };
    expectNotFound(() => network.bySv("DsoRules_CollectEntryRenewalPayment", argument));
  });
});

describe("an entry that has expired", () => {
  const expire = (network: DsoFixture, ansEntryCid: ContractId, actor = network.dso) =>
    network.bySv("DsoRules_ExpireAnsEntry", { ansEntryCid, choiceArg: { actor } }, network.sv(2));

  test("is removed by a single SV, strictly after its expiry", () => {
    const { network, sandbox, entryCid } = registered();
    sandbox.advance(ENTRY_LIFETIME);
    expectUnmet("Contract expired", () => expire(network, entryCid));
    sandbox.advance(MICROSECOND);
    expect(expire(network, entryCid)).toEqual({});
    const { AnsEntry: _gone, ...rest } = LIVE_NAME;
    expect(counts(network)).toEqual(rest);
    expectNotFound(() => expire(network, entryCid));
  });

  test("is not removed in its owner's name", () => {
    const { network, sandbox, owner, entryCid } = registered();
    sandbox.advance(ENTRY_LIFETIME + MICROSECOND);
    expectUnauthorized(() => expire(network, entryCid, owner.user));
  });
});

describe("a subscription whose payment was missed", () => {
  const expire = (
    network: DsoFixture,
    ansEntryContextCid: ContractId,
    subscriptionIdleStateCid: ContractId,
  ) =>
    network.bySv("DsoRules_ExpireSubscription", {
      ansEntryContextCid,
      subscriptionIdleStateCid,
      choiceArg: { actor: network.dso },
    });

  test("is removed with its context by a single SV, strictly after the due date; the entry is another matter", () => {
    const { network, sandbox, contextCid, idleStateCid } = registered();
    sandbox.advance(ENTRY_LIFETIME);
    expectUnmet("Last subscription payment was missed", () => expire(network, contextCid, idleStateCid));
    sandbox.advance(MICROSECOND);
    expect(expire(network, contextCid, idleStateCid)).toEqual({});
    expect(counts(network)).toEqual({ AnsEntry: 1 });
    expectNotFound(() => expire(network, contextCid, idleStateCid));
  });

  test("does not take the context of another name with it", () => {
    const { network, sandbox, owner, idleStateCid } = registered();
    const other = owner.register({ name: "bob.unverified.cns" });
    sandbox.advance(ENTRY_LIFETIME + MICROSECOND);
    expectUnmet("Reference matches", () => expire(network, other.contextCid, idleStateCid));
    expect(sandbox.isActive(idleStateCid)).toBe(true);
  });
});

describe("a subscription that its owner ended", () => {
  const terminate = (network: DsoFixture, ansEntryContextCid: ContractId) => {
    const terminatedSubscriptionCid = network.only(TerminatedSubscription).contractId;
    return network.bySv("DsoRules_TerminateSubscription", { ansEntryContextCid, terminatedSubscriptionCid });
  };

  test("by rejecting the request, is cleaned up to the last contract", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    const { contextCid, requestCid } = owner.request({ name: NAME });
    const as = { actAs: [owner.user] };
    network.sandbox.exercise(SubscriptionRequest, requestCid, "SubscriptionRequest_Reject", {}, as);
    expect(counts(network)).toEqual({ AnsEntryContext: 1, TerminatedSubscription: 1 });
    expect(terminate(network, contextCid)).toEqual({});
    expect(counts(network)).toEqual({});
  });

  test("by cancelling, is cleaned up and leaves the entry until it expires", () => {
    const { network, sandbox, owner, contextCid, idleStateCid } = registered();
    const choice = "SubscriptionIdleState_CancelSubscription";
    sandbox.exercise(SubscriptionIdleState, idleStateCid, choice, {}, { actAs: [owner.user] });
    terminate(network, contextCid);
    expect(counts(network)).toEqual({ AnsEntry: 1 });
  });

  test("does not take the context of another name with it", () => {
    const { network, sandbox, owner, idleStateCid } = registered();
    const other = owner.register({ name: "bob.unverified.cns" });
    const choice = "SubscriptionIdleState_CancelSubscription";
    sandbox.exercise(SubscriptionIdleState, idleStateCid, choice, {}, { actAs: [owner.user] });
    expectUnmet("Reference matches", () => terminate(network, other.contextCid));
  });
});
