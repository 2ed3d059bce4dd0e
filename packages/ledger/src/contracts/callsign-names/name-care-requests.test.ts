import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { NameOwner } from "../../../testing/dso-names.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import type { ArgumentOf, ChoiceName } from "../../engine/declaration.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionRequest,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare, RequestWithdrawal } from "./declarations/names.ts";

type Argument<C extends ChoiceName<typeof NameCare>> = ArgumentOf<(typeof NameCare)["choices"][C]>;
/** The acting member and party; the last SV with the current rules unless given. */
type Actor = { readonly sv?: PartyId; readonly as?: PartyId; readonly dsoRulesCid?: ContractId };

function exercise<C extends ChoiceName<typeof NameCare>>(
  network: DsoFixture,
  choice: C,
  { as, ...given }: Actor & Omit<Argument<C>, "sv" | "dsoRulesCid">,
) {
  const argument = { sv: network.sv(3), dsoRulesCid: network.dsoRules, ...given } as unknown as Argument<C>;
  const care = network.only(NameCare).contractId;
  return network.sandbox.exercise(NameCare, care, choice, argument, network.asSv(as ?? argument.sv));
}

function requested(name = "alice.unverified.cns", network = new DsoFixture()) {
  const owner = new NameOwner(network, "alice");
  return { network, owner, ...owner.request({ name }) };
}

/** A request whose withdrawal was announced as long ago as it takes. */
function announced(name = "alice.unverified.cns", network = new DsoFixture()) {
  const given = requested(name, network);
  const { withdrawal } = exercise(network, "NameCare_AnnounceWithdrawal", { requestCid: given.requestCid });
  network.sandbox.advance(30n * DAY);
  return { ...given, due: { withdrawalCid: withdrawal, ansEntryContextCid: given.contextCid } };
}

/** The user ends the own context with a tombstone of the own making. */
function endOwnContext(network: DsoFixture, { user }: NameOwner, contextCid: ContractId): void {
  const { reference } = network.sandbox.payloadOf(AnsEntryContext, contextCid);
  const subscriptionData = { sender: user, receiver: user, provider: user, dso: user, description: "mine" };
  const forged = network.sandbox.create(
    TerminatedSubscription,
    { subscriptionData, reference },
    { actAs: [user] },
  );
  const argument = { actor: user, terminatedSubscriptionCid: forged };
  network.sandbox.exercise(AnsEntryContext, contextCid, "AnsEntryContext_Terminate", argument, {
    actAs: [user],
  });
}

describe("announcing that a request will be withdrawn", () => {
  test("tells its user, who has thirty days", () => {
    const { network, owner, requestCid } = requested();
    const { sandbox } = network;
    const { withdrawal } = exercise(network, "NameCare_AnnounceWithdrawal", { requestCid });
    expect(sandbox.payloadOf(RequestWithdrawal, withdrawal)).toEqual({
      dso: network.dso,
      user: owner.user,
      reference: requestCid,
      withdrawableAt: addDuration(sandbox.now, 30n * DAY),
    });
    const created = sandbox.lastTransaction && listCreated(sandbox.lastTransaction);
    expect(created?.map(({ signatories, observers }) => [signatories, observers])).toEqual([
      [[network.dso], [owner.user]],
    ]);
    expect(sandbox.isActive(requestCid)).toBe(true);
  });

  test("needs a request that is still open", () => {
    const { network, owner, requestCid } = requested();
    owner.tap("200.0");
    owner.accept(requestCid);
    expectNotFound(() => exercise(network, "NameCare_AnnounceWithdrawal", { requestCid }));
  });

  test("is for requests to the DSO only", () => {
    const { network, requestCid } = requested();
    const sv = network.sv(3);
    const request = network.sandbox.payloadOf(SubscriptionRequest, requestCid);
    for (const change of [{ dso: sv }, { receiver: sv }]) {
      const everybody = { sender: sv, provider: sv };
      const subscriptionData = { ...request.subscriptionData, ...everybody, ...change };
      const other = network.sandbox.create(
        SubscriptionRequest,
        { ...request, subscriptionData },
        { actAs: [sv, network.dso] },
      );
      expectOtherGroup("SubscriptionRequest", () =>
        exercise(network, "NameCare_AnnounceWithdrawal", { requestCid: other }),
      );
    }
  });
});

describe("withdrawing an unanswered request", () => {
  test("removes request, context and announcement, and leaves nothing behind", () => {
    const { network, due, requestCid, contextCid } = announced();
    expect(exercise(network, "NameCare_WithdrawRequest", due)).toEqual({});
    const transaction = network.sandbox.lastTransaction;
    expect(transaction && listCreated(transaction)).toEqual([]);
    expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([
      due.withdrawalCid,
      requestCid,
      contextCid,
    ]);
    for (const template of [
      SubscriptionRequest,
      AnsEntryContext,
      TerminatedSubscription,
      RequestWithdrawal,
    ]) {
      expect(network.sandbox.active(template)).toEqual([]);
    }
    expectNotFound(() => exercise(network, "NameCare_WithdrawRequest", due));
  });

  test("waits until thirty days after the announcement, to the microsecond", () => {
    const { network, requestCid, contextCid } = requested();
    const { sandbox } = network;
    const { withdrawal } = exercise(network, "NameCare_AnnounceWithdrawal", { requestCid });
    const { withdrawableAt } = sandbox.payloadOf(RequestWithdrawal, withdrawal);
    const argument = { withdrawalCid: withdrawal, ansEntryContextCid: contextCid };
    for (const early of [sandbox.now, addDuration(withdrawableAt, -MICROSECOND)]) {
      sandbox.now = early;
      expectTooEarly("withdrawableAt", () => exercise(network, "NameCare_WithdrawRequest", argument));
    }
    sandbox.now = withdrawableAt;
    exercise(network, "NameCare_WithdrawRequest", argument);
    expect(sandbox.isActive(requestCid)).toBe(false);
  });

  test("needs no context: its user may have ended it", () => {
    const { network, owner, due, requestCid, contextCid } = announced();
    endOwnContext(network, owner, contextCid);
    expectNotFound(() => exercise(network, "NameCare_WithdrawRequest", due));
    exercise(network, "NameCare_WithdrawRequest", { ...due, ansEntryContextCid: null });
    expect(network.sandbox.isActive(requestCid)).toBe(false);
    expect(network.only(TerminatedSubscription).payload.reference).toBe(requestCid);
  });

  test("without a context that is there leaves it to be removed with the tombstone", () => {
    const { network, due, contextCid } = announced();
    exercise(network, "NameCare_WithdrawRequest", { ...due, ansEntryContextCid: null });
    const terminatedSubscriptionCid = network.only(TerminatedSubscription).contractId;
    const both = { ansEntryContextCid: contextCid, terminatedSubscriptionCid };
    network.bySv("DsoRules_TerminateSubscription", both);
    for (const template of [AnsEntryContext, TerminatedSubscription]) {
      expect(network.sandbox.active(template)).toEqual([]);
    }
  });

  test("leaves other requests of the same owner alone", () => {
    const { network, due } = announced();
    const other = requested("bob.unverified.cns", network);
    const crossed = { ...due, ansEntryContextCid: other.contextCid };
    expectUnmet("Reference matches", () => exercise(network, "NameCare_WithdrawRequest", crossed));
    exercise(network, "NameCare_WithdrawRequest", due);
    expect(network.only(SubscriptionRequest).contractId).toBe(other.requestCid);
    expect(network.only(AnsEntryContext).contractId).toBe(other.contextCid);
  });

  test("is refused for an accepted request: its payment is safe", () => {
    const { network, owner, due, requestCid } = announced();
    owner.tap("200.0");
    const paymentCid = owner.accept(requestCid);
    for (const ansEntryContextCid of [due.ansEntryContextCid, null]) {
      expectNotFound(() => exercise(network, "NameCare_WithdrawRequest", { ...due, ansEntryContextCid }));
    }
    expect(network.sandbox.isActive(paymentCid)).toBe(true);
    exercise(network, "NameCare_DiscardWithdrawal", due);
    expect(network.sandbox.active(RequestWithdrawal)).toEqual([]);
    expect(network.sandbox.isActive(paymentCid)).toBe(true);
  });

  test("is refused for a rejected request", () => {
    const { network, owner, due, requestCid } = announced();
    network.sandbox.exercise(
      SubscriptionRequest,
      requestCid,
      "SubscriptionRequest_Reject",
      {},
      {
        actAs: [owner.user],
      },
    );
    expectNotFound(() => exercise(network, "NameCare_WithdrawRequest", due));
  });

  test("refuses contracts that an SV signed in place of the DSO", () => {
    const { network, due, contextCid } = announced();
    const { sandbox } = network;
    const sv = network.sv(3);
    const context = sandbox.payloadOf(AnsEntryContext, contextCid);
    const ansEntryContextCid = sandbox.create(
      AnsEntryContext,
      { ...context, dso: sv, user: sv },
      { actAs: [sv] },
    );
    expectOtherGroup("AnsEntryContext", () =>
      exercise(network, "NameCare_WithdrawRequest", { ...due, ansEntryContextCid }),
    );
    const notice = sandbox.payloadOf(RequestWithdrawal, due.withdrawalCid);
    const withdrawalCid = sandbox.create(RequestWithdrawal, { ...notice, dso: sv }, { actAs: [sv] });
    for (const choice of ["NameCare_WithdrawRequest", "NameCare_DiscardWithdrawal"] as const) {
      expectOtherGroup("RequestWithdrawal", () => exercise(network, choice, { ...due, withdrawalCid }));
    }
  });
});

test("every step is for SVs, each in its own name", () => {
  const { network, owner, requestCid, due } = announced();
  const { user } = owner;
  const before = network.dsoRules;
  const steps = [
    (actor: Actor) => exercise(network, "NameCare_AnnounceWithdrawal", { requestCid, ...actor }),
    (actor: Actor) => exercise(network, "NameCare_WithdrawRequest", { ...due, ...actor }),
    (actor: Actor) => {
      const { withdrawalCid } = due;
      return exercise(network, "NameCare_DiscardWithdrawal", { withdrawalCid, ...actor });
    },
  ];
  for (const step of steps) {
    expectUnmet("SV party is an actual SV", () => step({ sv: user, as: user }));
    expectUnauthorized(() => step({ sv: network.sv(0), as: network.sv(1) }));
  }
  network.offboardSv(network.sv(3));
  for (const step of steps) {
    expectUnmet("SV party is an actual SV", () => step({ sv: network.sv(3) }));
    expectNotFound(() => step({ dsoRulesCid: before }));
  }
});

test("only the DSO creates and archives an announcement", () => {
  const { network, owner, due } = announced();
  const notice = network.sandbox.payloadOf(RequestWithdrawal, due.withdrawalCid);
  for (const actAs of [[owner.user], [network.sv(3)]]) {
    expectUnauthorized(() => network.sandbox.create(RequestWithdrawal, notice, { actAs }));
    const as = { actAs, readAs: [network.dso] };
    expectUnauthorized(() => archiveContract(network.sandbox, RequestWithdrawal, due.withdrawalCid, as));
  }
});
