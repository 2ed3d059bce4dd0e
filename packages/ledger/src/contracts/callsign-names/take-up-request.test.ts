import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { DsoFixture, ENTRY_LIFETIME, RENEWAL_DURATION } from "../../../testing/dso-fixture.ts";
import { collectRenewal, NameOwner } from "../../../testing/dso-names.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, MAX_TIME } from "../../values/time.ts";
import { relTime } from "../rel-time.ts";
import { AnsEntry, AnsEntryContext, AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./declarations/names.ts";
import { NameCareV2, TakeUpRequest } from "./declarations/take-up.ts";

const NAME = "alice.unverified.cns";

function registered() {
  const network = new DsoFixture();
  const owner = new NameOwner(network, "alice");
  const content = { name: NAME, url: "https://alice.example", description: "Alice" };
  return { network, owner, ...owner.register(content) };
}

/** The entry lives; its subscription and context are gone. */
function cancelled() {
  const given = registered();
  cancel(given);
  return given;
}

function cancel(
  given: Pick<ReturnType<typeof registered>, "network" | "owner" | "contextCid" | "idleStateCid">,
) {
  const { network, owner, contextCid: ansEntryContextCid } = given;
  const choice = "SubscriptionIdleState_CancelSubscription";
  const as = { actAs: [owner.user] };
  network.sandbox.exercise(SubscriptionIdleState, given.idleStateCid, choice, {}, as);
  const terminatedSubscriptionCid = network.only(TerminatedSubscription).contractId;
  network.bySv("DsoRules_TerminateSubscription", { ansEntryContextCid, terminatedSubscriptionCid });
}

type Given = Pick<ReturnType<typeof registered>, "network" | "owner" | "entryCid">;

function request({ network, owner, entryCid }: Given, change: Partial<TakeUpRequest> = {}, as = owner.user) {
  const { config } = network.only(AnsRules).payload;
  const payload = {
    ...{ dso: network.dso, user: owner.user, name: NAME, entry: entryCid },
    payData: {
      paymentAmount: { amount: config.entryFee, unit: "USDUnit" as const },
      paymentInterval: config.entryLifetime,
      paymentDuration: config.renewalDuration,
    },
    ...change,
  };
  return network.sandbox.create(TakeUpRequest, payload, { actAs: [as] });
}

type Actor = { readonly sv?: PartyId; readonly as?: PartyId };

function takeUp(network: DsoFixture, requestCid: ContractId, { sv = network.sv(3), as = sv }: Actor = {}) {
  const argument = { sv, dsoRulesCid: network.dsoRules, requestCid, ansRulesCid: network.ansRules };
  const care = network.only(NameCare).contractId;
  return network.sandbox.exercise(NameCareV2, care, "NameCare_TakeUp", argument, network.asSv(as));
}

function discard(network: DsoFixture, requestCid: ContractId, { sv = network.sv(3), as = sv }: Actor = {}) {
  const argument = { sv, dsoRulesCid: network.dsoRules, requestCid };
  const care = network.only(NameCare).contractId;
  return network.sandbox.exercise(NameCareV2, care, "NameCare_DiscardTakeUp", argument, network.asSv(as));
}

describe("a cancelled name that is taken up", () => {
  test("has a new subscription, whose payment is due when the entry ends", () => {
    const given = cancelled();
    const { network, owner, entryCid } = given;
    const before = network.sandbox.payloadOf(AnsEntry, entryCid);
    const requestCid = request(given);
    const taken = takeUp(network, requestCid);
    const transaction = network.sandbox.lastTransaction;
    expect(transaction && listArchived(transaction).map(({ contractId }) => contractId)).toEqual([
      requestCid,
      entryCid,
    ]);
    expect(transaction && listCreated(transaction)).toHaveLength(4);
    const expiresAt = addDuration(before.expiresAt, MICROSECOND);
    const entry = network.only(AnsEntry);
    expect(entry).toEqual({ contractId: taken.entryCid, payload: { ...before, expiresAt } });
    const { name, url, description, user, dso } = before;
    expect(network.only(AnsEntryContext).payload).toEqual({
      ...{ dso, user, name, url, description, reference: requestCid },
    });
    const subscriptionData = {
      ...{ sender: owner.user, receiver: dso, provider: dso, dso },
      description: `ANS entry: "${NAME}"`,
    };
    const subscription = network.only(Subscription);
    expect(subscription.payload).toEqual({ subscriptionData, reference: requestCid });
    const idle = network.only(SubscriptionIdleState);
    expect(idle.contractId).toBe(taken.subscriptionStateCid);
    expect(idle.payload).toEqual({
      ...{ subscription: subscription.contractId, subscriptionData, reference: requestCid },
      payData: {
        paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" },
        paymentInterval: relTime(ENTRY_LIFETIME),
        paymentDuration: relTime(RENEWAL_DURATION),
      },
      nextPaymentDueAt: expiresAt,
    });
  });

  test("costs nothing, is renewed as any other, and can be cancelled and taken up again", () => {
    const given = cancelled();
    const { network, owner } = given;
    const coins = owner.coins();
    let entryCid = given.entryCid;
    for (let round = 1n; round <= 3n; round++) {
      const taken = takeUp(network, request({ ...given, entryCid }));
      const { contractId: contextCid } = network.only(AnsEntryContext);
      const { nextPaymentDueAt } = network.only(SubscriptionIdleState).payload;
      if (round === 1n) expect(owner.coins()).toEqual(coins);
      owner.tap("200.0");
      network.sandbox.now = addDuration(nextPaymentDueAt, -MICROSECOND);
      const paymentCid = owner.payRenewal(taken.subscriptionStateCid);
      const renewed = collectRenewal(network, { contextCid, entryCid: taken.entryCid, paymentCid });
      const { expiresAt } = network.only(AnsEntry).payload;
      expect(expiresAt).toBe(addDuration(nextPaymentDueAt, ENTRY_LIFETIME));
      cancel({ network, owner, contextCid, idleStateCid: renewed.subscriptionState });
      entryCid = renewed.ansEntry;
    }
  });

  test("can be taken up until it ends, to the microsecond", () => {
    const given = cancelled();
    const { network, entryCid } = given;
    const { expiresAt } = network.sandbox.payloadOf(AnsEntry, entryCid);
    const requestCid = request(given);
    for (const late of [expiresAt, addDuration(expiresAt, MICROSECOND)]) {
      network.sandbox.now = late;
      expectUnmet("Current entry is not expired", () => takeUp(network, requestCid));
    }
    network.sandbox.now = addDuration(expiresAt, -MICROSECOND);
    takeUp(network, requestCid);
  });

  test("cannot be taken up at the end of time", () => {
    const given = cancelled();
    const { network, owner } = given;
    const endless = { ...network.sandbox.payloadOf(AnsEntry, given.entryCid), expiresAt: MAX_TIME };
    const entryCid = network.sandbox.create(AnsEntry, endless, { actAs: [owner.user, network.dso] });
    const rejection = rejectionOf(() => takeUp(network, request({ ...given, entryCid })));
    expect(rejection.cause).toContain("ArithmeticError");
  });
});

describe("of two requests for one entry", () => {
  test("one is accepted; the other finds no entry, and is discarded", () => {
    const given = cancelled();
    const { network } = given;
    const [one, two] = [request(given), request(given)];
    takeUp(network, one);
    expectNotFound(() => takeUp(network, two));
    discard(network, two);
    expect(network.sandbox.active(TakeUpRequest)).toEqual([]);
    expect(network.sandbox.active(AnsEntry)).toHaveLength(1);
    expect(network.sandbox.active(SubscriptionIdleState)).toHaveLength(1);
  });
});

test("a subscription that was not cancelled can no longer renew a name that was taken up beside it", () => {
  const given = registered();
  const { network, owner, contextCid, idleStateCid } = given;
  const { expiresAt } = network.only(AnsEntry).payload;
  const { entryCid } = takeUp(network, request(given));
  owner.tap("200.0");
  network.sandbox.now = addDuration(expiresAt, -MICROSECOND);
  const paymentCid = owner.payRenewal(idleStateCid);
  expectUnmet("Subscription entry renewal times are in sync", () =>
    collectRenewal(network, { contextCid, entryCid, paymentCid }),
  );
  expectNotFound(() => collectRenewal(network, { contextCid, entryCid: given.entryCid, paymentCid }));
});

describe("a request is refused", () => {
  test("with other terms than those of the rules", () => {
    const given = cancelled();
    const { network } = given;
    const { payData } = network.sandbox.payloadOf(TakeUpRequest, request(given));
    const { paymentAmount } = payData;
    for (const change of [
      { paymentAmount: { ...paymentAmount, amount: decimal("0.9999999999") } },
      { paymentAmount: { ...paymentAmount, unit: "AmuletUnit" as const } },
      { paymentInterval: relTime(ENTRY_LIFETIME + 1n) },
      { paymentDuration: relTime(RENEWAL_DURATION - 1n) },
    ]) {
      const requestCid = request(given, { payData: { ...payData, ...change } });
      expectUnmet("Terms are those of the rules", () => takeUp(network, requestCid));
    }
  });

  test("for an entry of another, of another DSO, or for no entry", () => {
    const given = cancelled();
    const { network, owner, entryCid } = given;
    const { sandbox } = network;
    const bob = testParty("bob");
    const requestCid = request(given, { user: bob }, bob);
    expectUnmet("User holds the entry", () => takeUp(network, requestCid));
    const entry = sandbox.payloadOf(AnsEntry, entryCid);
    const foreign = sandbox.create(AnsEntry, { ...entry, dso: bob }, { actAs: [owner.user, bob] });
    expectOtherGroup("AnsEntry", () =>
      sandbox.exercise(
        ...([NameCareV2, network.only(NameCare).contractId, "NameCare_TakeUp"] as const),
        {
          ...{ sv: network.sv(0), dsoRulesCid: network.dsoRules, ansRulesCid: network.ansRules },
          requestCid: request({ ...given, entryCid: foreign }),
        },
        { ...network.asSv(), disclose: [foreign] },
      ),
    );
    const renamed = request(given, { name: "bob.unverified.cns" });
    expectUnmet("Name matches", () => takeUp(network, renamed));
    const wrong = request({ ...given, entryCid: network.ansRules });
    expect(rejectionOf(() => takeUp(network, wrong)).code).toBe("WRONGLY_TYPED_CONTRACT");
  });

  test("to another DSO", () => {
    const given = cancelled();
    const { network } = given;
    const requestCid = request(given, { dso: network.sv(3) });
    expectOtherGroup("TakeUpRequest", () => takeUp(network, requestCid));
    expectOtherGroup("TakeUpRequest", () => discard(network, requestCid));
  });
});

test("only the holder asks, withdraws and archives; only SVs accept and discard, each in its own name", () => {
  const given = cancelled();
  const { network, owner } = given;
  const { user } = owner;
  expectUnauthorized(() => request(given, {}, testParty("bob")));
  const requestCid = request(given);
  const withdraw = (as: PartyId) =>
    network.sandbox.exercise(TakeUpRequest, requestCid, "TakeUpRequest_Withdraw", {}, { actAs: [as] });
  for (const step of [takeUp, discard]) {
    expectUnmet("SV party is an actual SV", () => step(network, requestCid, { sv: user, as: user }));
    expectUnauthorized(() => step(network, requestCid, { sv: network.sv(0), as: network.sv(1) }));
  }
  expectUnauthorized(() => withdraw(network.dso));
  expectUnauthorized(() => archiveContract(network.sandbox, TakeUpRequest, requestCid, network.asDso()));
  for (const choice of ["TakeUpRequest_Discard", "TakeUpRequest_Accept"] as const) {
    const argument = { ansRulesCid: network.ansRules };
    const as = { actAs: [user], disclose: [network.ansRules] };
    expectUnauthorized(() => network.sandbox.exercise(TakeUpRequest, requestCid, choice, argument, as));
  }
  withdraw(user);
  expectNotFound(() => takeUp(network, requestCid));
});
