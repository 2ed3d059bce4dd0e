import { describe, expect, test } from "vitest";
import { RequestWithdrawal } from "../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { AnsEntryContext } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { DAY, MICROSECOND } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import type { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { accepted, createdBy, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";

describe("an unanswered request", () => {
  test("waits for months, and can still be accepted", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    network.advance(200n * DAY);
    dso.settle();
    expect(scenario.count(SubscriptionRequest)).toBe(1);
    scenario.tap(alice, "200.0");
    scenario.pay(alice, request);
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("is withdrawn a month after an SV announced it, together with its context", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    accepted(scenario.sv(2).announceWithdrawal(request));
    // The user's wallet sees until when to answer.
    const [notice] = network.active(RequestWithdrawal, alice.party);
    expect(notice?.payload.reference).toBe(request);
    network.advance(29n * DAY);
    dso.settle();
    expect(scenario.count(SubscriptionRequest)).toBe(1);
    network.advance(DAY);
    dso.settle();
    for (const template of [
      SubscriptionRequest,
      AnsEntryContext,
      TerminatedSubscription,
      RequestWithdrawal,
    ]) {
      expect(scenario.count(template)).toBe(0);
    }
    scenario.tap(alice, "200.0");
    expect(rejection(alice.accept(request)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.coinsOf(alice)).toEqual({ free: "200.0", locked: "0.0" });
    // The name can be asked for again.
    scenario.pay(alice, scenario.request(alice, { name: NAME }));
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("cannot be withdrawn the moment it was made, nor a microsecond before its notice has run out", () => {
    const scenario = new Scenario();
    const { network, alice } = scenario;
    const request = scenario.request(alice, { name: NAME });
    accepted(scenario.sv().announceWithdrawal(request));
    const notice = network.only(RequestWithdrawal);
    const { withdrawableAt } = notice.payload;
    const withdraw = () => scenario.sv(3).withdrawRequest(notice);
    expect(rejection(withdraw()).cause).toContain("Ledger time is strictly before deadline 'withdrawableAt'");
    const early = scenario.at(addDuration(withdrawableAt, -MICROSECOND), withdraw);
    expect(rejection(early).cause).toContain("Ledger time is strictly before deadline 'withdrawableAt'");
    accepted(scenario.at(withdrawableAt, withdraw));
    expect(scenario.count(SubscriptionRequest)).toBe(0);
  });

  test("is safe once it was accepted, and the notice of its withdrawal goes", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    accepted(scenario.sv().announceWithdrawal(request));
    network.advance(31n * DAY);
    scenario.tap(alice, "200.0");
    scenario.pay(alice, request);
    const outcome = scenario.sv().withdrawRequest(network.only(RequestWithdrawal));
    expect(rejection(outcome).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.count(SubscriptionInitialPayment)).toBe(1);
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    expect(scenario.count(RequestWithdrawal)).toBe(0);
  });

  test("can be withdrawn though its user has ended its context", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    endOwnContext(network, alice, request);
    expect(scenario.count(AnsEntryContext)).toBe(0);
    accepted(scenario.sv().announceWithdrawal(request));
    network.advance(30n * DAY);
    dso.settle();
    for (const template of [SubscriptionRequest, RequestWithdrawal]) expect(scenario.count(template)).toBe(0);
    // Only the user could have given the authority to remove it.
    expect(network.only(TerminatedSubscription).payload.reference).toBe(request);
  });

  test("cannot be withdrawn by other parties", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    const request = scenario.request(alice, { name: NAME });
    const impostor = new SvActor(network, alice.member);
    // A validator may not read as the DSO, which it would need to see the contracts.
    const code = "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT";
    expect(rejection(impostor.announceWithdrawal(request)).code).toBe(code);
    accepted(scenario.sv().announceWithdrawal(request));
    network.advance(30n * DAY);
    const notice = network.only(RequestWithdrawal);
    expect(rejection(impostor.withdrawRequest(notice)).code).toBe(code);
    expect(rejection(impostor.discardWithdrawal(notice.contractId)).code).toBe(code);
    expect(scenario.count(SubscriptionRequest)).toBe(1);
  });
});

/** With a tombstone of the user's own making, which nobody can forbid. */
function endOwnContext(network: SimulatedNetwork, { party, member }: WalletActor, reference: ContractId) {
  const subscriptionData = {
    sender: party,
    receiver: party,
    provider: party,
    dso: party,
    description: "mine",
  };
  const tombstone = createCommand(TerminatedSubscription, { subscriptionData, reference });
  const made = network.submit(member, { actAs: [party], commands: [tombstone] });
  const terminatedSubscriptionCid = createdBy(made, TerminatedSubscription);
  const command = exerciseCommand(
    AnsEntryContext,
    network.only(AnsEntryContext).contractId,
    "AnsEntryContext_Terminate",
    { actor: party, terminatedSubscriptionCid },
  );
  accepted(network.submit(member, { actAs: [party], commands: [command] }));
}
