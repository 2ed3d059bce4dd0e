/**
 * Anybody may write contracts that they alone sign, with any name, reference or date in them, and even the DSO's name
 * in a field. They count for nothing: decisions and lookups go by what the DSO signed.
 */
import { describe, expect, test } from "vitest";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../../packages/ledger/src/engine/declaration.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { ownPayment, ownSubscription } from "./forged-payloads.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";

function write<T extends AnyTemplateDeclaration>(
  { network, member, party }: WalletActor,
  template: T,
  payload: PayloadOf<T>,
): Outcome {
  return network.submit(member, { actAs: [party], commands: [createCommand(template, payload)] });
}

describe("bob creates, on his own", () => {
  test("an entry for the name: it is not found, and does not keep alice from registering", () => {
    const scenario = new Scenario();
    const { alice, bob, network } = scenario;
    const entry = {
      user: bob.party,
      name: NAME,
      url: "",
      description: "",
      expiresAt: time("2030-01-01T00:00:00Z"),
    };
    expect(rejection(write(bob, AnsEntry, { ...entry, dso: network.dso })).code).toBe(
      "DAML_AUTHORIZATION_ERROR",
    );
    accepted(write(bob, AnsEntry, { ...entry, dso: bob.party }));
    expect(scenario.ownerOf(NAME)).toBeNull();
    scenario.register(alice, NAME, time("2026-02-01T12:00:00Z"));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("an earlier payment with the reference of alice's request: hers is collected all the same", () => {
    const scenario = new Scenario();
    const { alice, bob, dso, network } = scenario;
    scenario.tap(alice, "200.0");
    const request = scenario.request(alice, { name: NAME });
    const subscriptionData = ownSubscription(bob.party, network.dso);
    const [round] = network.active(OpenMiningRound);
    accepted(
      write(
        bob,
        SubscriptionInitialPayment,
        ownPayment(subscriptionData, request, round?.payload.round.number ?? 0n),
      ),
    );
    scenario.pay(alice, request);
    expect(dso.decideInitialPayments().map(({ kind }) => kind)).toEqual(["collect"]);
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("a tombstone with the reference of alice's subscription: it ends nothing", () => {
    const scenario = new Scenario();
    const { alice, bob, dso, network } = scenario;
    scenario.register(alice, NAME, time("2026-02-01T12:00:00Z"));
    const reference = network.only(SubscriptionIdleState).payload.reference;
    const subscriptionData = ownSubscription(bob.party, network.dso);
    accepted(write(bob, TerminatedSubscription, { subscriptionData, reference }));
    dso.settle();
    network.advanceTo(time("2026-04-10T00:00:00Z"));
    scenario.tap(alice, "200.0");
    scenario.payRenewal(alice);
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(scenario.count(SubscriptionPayment)).toBe(0);
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });
});
