/**
 * Random lives of one name with two people, and SVs that accept any request and try to collect any payment: whatever happens,
 * the name has one live entry at most, its holder never loses it before its end, and one subscription at most can renew it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { collectRenewal, NameOwner } from "../../../testing/dso-names.ts";
import { Rejection } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { AnsEntry, AnsEntryContext, AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import { entryTerms } from "../splice-amulet-name-service/entry-terms.ts";
import {
  SubscriptionIdleState,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./declarations/names.ts";
import { NameCareV2, TakeUpRequest } from "./declarations/take-up.ts";

const NAME = "shop.unverified.cns";
const STEPS = [
  "buy",
  "cancel",
  "request",
  "take up",
  "pay",
  "collect",
  "days",
  "to the end",
  "clean up",
  "renew",
] as const;
type Step = { readonly what: (typeof STEPS)[number]; readonly who: number; readonly which: number };

function unlessRejected(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}

class Life {
  readonly network = new DsoFixture();
  readonly people = ["alice", "bob"].map((hint) => new NameOwner(this.network, hint));
  readonly done = new Set<string>();

  get sandbox() {
    return this.network.sandbox;
  }

  entries() {
    return this.sandbox.active(AnsEntry);
  }

  live() {
    return this.entries().filter(({ payload }) => payload.expiresAt >= this.sandbox.now);
  }

  /** Due dates of subscriptions, paid or not. */
  dueDates(): readonly bigint[] {
    return [
      ...this.sandbox.active(SubscriptionIdleState).map(({ payload }) => payload.nextPaymentDueAt),
      ...this.sandbox.active(SubscriptionPayment).map(({ payload }) => payload.thisPaymentDueAt),
    ];
  }

  /** A step that the ledger refuses changes nothing. */
  step({ what, who, which }: Step): void {
    const owner = this.people[who % this.people.length] as NameOwner;
    unlessRejected(() => this.#try(what, owner, which));
  }

  #try(what: Step["what"], owner: NameOwner, which: number): void {
    const { sandbox, network } = this;
    const pick = <T>(items: readonly T[]): T | undefined => items[which % Math.max(items.length, 1)];
    const as = { actAs: [owner.user] };
    switch (what) {
      case "buy":
        if (this.entries().length === 0) owner.register({ name: NAME });
        return;
      case "cancel": {
        const idle = pick(sandbox.active(SubscriptionIdleState));
        if (idle === undefined) return;
        const sender = { actAs: [idle.payload.subscriptionData.sender] };
        const choice = "SubscriptionIdleState_CancelSubscription";
        sandbox.exercise(SubscriptionIdleState, idle.contractId, choice, {}, sender);
        return;
      }
      case "request": {
        const entry = pick(this.entries());
        if (entry === undefined) return;
        const payData = entryTerms(network.only(AnsRules).payload);
        const { dso } = network;
        const payload = { dso, user: owner.user, name: NAME, entry: entry.contractId, payData };
        sandbox.create(TakeUpRequest, payload, as);
        return;
      }
      case "take up":
        for (const { contractId } of sandbox.active(TakeUpRequest))
          unlessRejected(() => this.#accept(contractId, which));
        return;
      case "pay": {
        const idle = pick(sandbox.active(SubscriptionIdleState));
        const sender = this.people.find(({ user }) => user === idle?.payload.subscriptionData.sender);
        if (idle === undefined || sender === undefined) return;
        sender.tap("200.0");
        sender.payRenewal(idle.contractId);
        return;
      }
      case "collect":
        this.#collectAny();
        return;
      case "renew":
        this.#renew();
        return;
      case "days":
        sandbox.advance(BigInt(which % 40) * DAY);
        network.advanceRounds();
        return;
      case "to the end": {
        const entry = pick(this.entries());
        if (entry === undefined || entry.payload.expiresAt <= sandbox.now) return;
        sandbox.now = addDuration(entry.payload.expiresAt, BigInt((which % 3) - 1) * MICROSECOND);
        return;
      }
      case "clean up":
        for (const { contractId } of this.entries())
          network.bySv("DsoRules_ExpireAnsEntry", {
            ansEntryCid: contractId,
            choiceArg: { actor: network.dso },
          });
        return;
    }
  }

  #accept(requestCid: ContractId, which: number): void {
    const { network } = this;
    const sv = network.sv(which % 4) as PartyId;
    const argument = { sv, dsoRulesCid: network.dsoRules, requestCid, ansRulesCid: network.ansRules };
    const care = network.only(NameCare).contractId;
    const idle = this.sandbox.active(SubscriptionIdleState).length;
    this.sandbox.exercise(NameCareV2, care, "NameCare_TakeUp", argument, network.asSv(sv));
    this.done.add(idle === 0 ? "taken up" : "taken up beside a subscription");
  }

  /** A day before the end everybody pays, and the SVs collect. */
  #renew(): void {
    const { sandbox } = this;
    const [entry] = this.live();
    const dayBefore = entry === undefined ? sandbox.now : addDuration(entry.payload.expiresAt, -DAY);
    if (sandbox.now < dayBefore) sandbox.now = dayBefore;
    for (const { contractId, payload } of sandbox.active(SubscriptionIdleState)) {
      const sender = this.people.find(({ user }) => user === payload.subscriptionData.sender);
      sender?.tap("200.0");
      sender?.payRenewal(contractId);
    }
    this.#collectAny();
  }

  /** Every payment with every context and entry: the ledger alone decides. */
  #collectAny(): void {
    const { sandbox, network } = this;
    const open = sandbox.active(OpenMiningRound).map(({ payload }) => payload.round.number);
    for (const { contractId: paymentCid, payload } of sandbox.active(SubscriptionPayment)) {
      if (!open.includes(payload.round.number)) continue;
      for (const { contractId: contextCid } of sandbox.active(AnsEntryContext)) {
        for (const { contractId: entryCid } of this.entries()) {
          unlessRejected(() => {
            collectRenewal(network, { contextCid, entryCid, paymentCid });
            this.done.add("renewed");
          });
        }
      }
    }
  }
}

test("a name has one live entry, one subscription that can renew it, and no gap, whatever people and SVs do", () => {
  const done = new Set<string>();
  const steps = fc.array(
    fc.record({ what: fc.constantFrom(...STEPS), who: fc.nat(1), which: fc.nat(1000) }),
    { minLength: 20, maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, (given) => {
      const life = new Life();
      // Every life begins with a name that is cancelled.
      for (const what of ["buy", "cancel"] as const) life.step({ what, who: 0, which: 0 });
      for (const step of given) {
        const [before] = life.live();
        life.step(step);
        const [entry, ...others] = life.live();
        expect(others).toEqual([]);
        if (before !== undefined && life.sandbox.now <= before.payload.expiresAt) {
          expect(entry?.payload.user).toBe(before.payload.user);
          expect((entry?.payload.expiresAt ?? 0n) >= before.payload.expiresAt).toBe(true);
        }
        const inStep = life.dueDates().filter((due) => due === entry?.payload.expiresAt);
        expect(inStep.length).toBeLessThanOrEqual(1);
      }
      for (const what of life.done) done.add(what);
    }),
    { numRuns: 60 },
  );
  expect([...done].sort()).toEqual(["renewed", "taken up", "taken up beside a subscription"]);
});
