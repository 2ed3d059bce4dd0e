import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { NameOwner } from "../../../testing/dso-names.ts";
import { expectNotFound, expectUnauthorized, expectUnmet } from "../../../testing/rejection.ts";
import type { ArgumentOf } from "../../engine/declaration.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionRequest,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./declarations/names.ts";

type Withdraw = ArgumentOf<(typeof NameCare)["choices"]["NameCare_WithdrawRequest"]>;

function withdraw(
  network: DsoFixture,
  given: Partial<Withdraw> & {
    readonly ansEntryContextCid: ContractId;
    readonly requestCid: ContractId;
    readonly as?: PartyId;
  },
) {
  const { as = given.sv ?? network.sv(3), ...changed } = given;
  const argument = { sv: network.sv(3), dsoRulesCid: network.dsoRules, ...changed };
  const care = network.only(NameCare).contractId;
  return network.sandbox.exercise(NameCare, care, "NameCare_WithdrawRequest", argument, network.asSv(as));
}

function requested(name = "alice.unverified.cns", network = new DsoFixture()) {
  const owner = new NameOwner(network, "alice");
  const { contextCid, requestCid } = owner.request({ name });
  return { network, owner, request: { ansEntryContextCid: contextCid, requestCid } };
}

describe("withdrawing a request that nobody answers", () => {
  test("removes the request and its context, and leaves nothing behind", () => {
    const { network, request } = requested();
    expect(withdraw(network, request)).toEqual({});
    const transaction = network.sandbox.lastTransaction;
    expect(transaction && listCreated(transaction)).toEqual([]);
    expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([
      request.requestCid,
      request.ansEntryContextCid,
    ]);
    for (const template of [SubscriptionRequest, AnsEntryContext, TerminatedSubscription]) {
      expect(network.sandbox.active(template)).toEqual([]);
    }
    expectNotFound(() => withdraw(network, request));
  });

  test("leaves other requests of the same owner alone", () => {
    const { network, request } = requested();
    const { request: other } = requested("bob.unverified.cns", network);
    expectUnmet("Reference matches", () => withdraw(network, { ...request, requestCid: other.requestCid }));
    withdraw(network, request);
    expect(network.only(SubscriptionRequest).contractId).toBe(other.requestCid);
    expect(network.only(AnsEntryContext).contractId).toBe(other.ansEntryContextCid);
  });

  test("comes too late for a request that was accepted: its payment is safe", () => {
    const { network, owner, request } = requested();
    owner.tap("200.0");
    const paymentCid = owner.accept(request.requestCid);
    expectNotFound(() => withdraw(network, request));
    expect(network.sandbox.isActive(paymentCid)).toBe(true);
  });

  test("is for SVs, each in its own name", () => {
    const { network, owner, request } = requested();
    const { user } = owner;
    expectUnmet("SV party is an actual SV", () => withdraw(network, { ...request, sv: user, as: user }));
    expectUnauthorized(() => withdraw(network, { ...request, sv: network.sv(0), as: network.sv(1) }));
    const before = network.dsoRules;
    network.offboardSv(network.sv(3));
    expectUnmet("SV party is an actual SV", () => withdraw(network, { ...request, sv: network.sv(3) }));
    expectNotFound(() => withdraw(network, { ...request, dsoRulesCid: before }));
  });

  test("does not believe a context that an SV signed in the place of the DSO", () => {
    const { network, request } = requested();
    const sv = network.sv(3);
    const context = network.sandbox.payloadOf(AnsEntryContext, request.ansEntryContextCid);
    const ansEntryContextCid = network.sandbox.create(
      AnsEntryContext,
      { ...context, dso: sv, user: sv },
      { actAs: [sv] },
    );
    expectUnmet("AnsEntryContext belongs to the expected group", () =>
      withdraw(network, { ...request, ansEntryContextCid }),
    );
  });
});
