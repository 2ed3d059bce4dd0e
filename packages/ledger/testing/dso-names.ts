/** The life of a name on the sandbox network: the steps of its owner, the owner's wallet and the SVs. */
import { Amulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import type { AppTransferContext } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import { AnsEntry, AnsRules } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { actionToConfirm } from "../src/contracts/splice-dso-governance/payment-action.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import type { DsoFixture } from "./dso-fixture.ts";
import { testParty } from "./sandbox.ts";
import { inputAmulet } from "./subscription-fixture.ts";

export interface NameRequest {
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

export class NameOwner {
  readonly network: DsoFixture;
  readonly user: PartyId;
  readonly validator: PartyId = testParty("validator");

  constructor(network: DsoFixture, hint: string) {
    this.network = network;
    this.user = testParty(hint);
  }

  coins(): readonly { contractId: ContractId; payload: Amulet }[] {
    return this.network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === this.user);
  }

  tap(amount: string): ContractId {
    return this.network.tap(this.user, amount);
  }

  request({ name, url = "", description = "" }: NameRequest): {
    contextCid: ContractId;
    requestCid: ContractId;
  } {
    const { network, user } = this;
    const argument = { name, url, description, user };
    const as = { actAs: [user], disclose: [network.ansRules] };
    const made = network.sandbox.exercise(AnsRules, network.ansRules, "AnsRules_RequestEntry", argument, as);
    return { contextCid: made.entryCid, requestCid: made.requestCid };
  }

  accept(requestCid: ContractId): ContractId {
    const [argument, as] = this.#payment();
    const choice = "SubscriptionRequest_AcceptAndMakePayment";
    return this.network.sandbox.exercise(SubscriptionRequest, requestCid, choice, argument, as)
      .subscriptionPayment;
  }

  payRenewal(idleStateCid: ContractId): ContractId {
    const [argument, as] = this.#payment();
    const choice = "SubscriptionIdleState_MakePayment";
    return this.network.sandbox.exercise(SubscriptionIdleState, idleStateCid, choice, argument, as)
      .subscriptionPayment;
  }

  /** Taps the fee, requests, pays; the SVs agree to collect. */
  register(request: NameRequest): { contextCid: ContractId; entryCid: ContractId; idleStateCid: ContractId } {
    this.tap("200.0");
    const { contextCid, requestCid } = this.request(request);
    this.network.agree(collectAction(this.network, contextCid, this.accept(requestCid)));
    const { sandbox } = this.network;
    const entry = sandbox.active(AnsEntry).find(({ payload }) => payload.name === request.name);
    const idle = sandbox
      .active(SubscriptionIdleState)
      .find(({ payload }) => payload.reference === requestCid);
    if (entry === undefined || idle === undefined) throw new Error(`${request.name} was not registered`);
    return { contextCid, entryCid: entry.contractId, idleStateCid: idle.contractId };
  }

  #payment() {
    const { network, user, validator } = this;
    const inputs = this.coins().map(({ contractId }) => inputAmulet(contractId));
    const argument = { inputs, context: network.paymentContext(), walletProvider: validator };
    return [argument, { actAs: [user, validator], disclose: network.disclosures() }] as const;
  }
}

export function collectAction(
  network: DsoFixture,
  contextCid: ContractId,
  paymentCid: ContractId,
): ActionRequiringConfirmation {
  return actionOn(network, { kind: "collect", contextCid, paymentCid });
}

export function rejectAction(
  network: DsoFixture,
  contextCid: ContractId,
  paymentCid: ContractId,
): ActionRequiringConfirmation {
  return actionOn(network, { kind: "reject", contextCid, paymentCid });
}

function actionOn(
  network: DsoFixture,
  decision: { kind: "collect" | "reject"; contextCid: ContractId; paymentCid: ContractId },
): ActionRequiringConfirmation {
  const { round } = network.sandbox.payloadOf(SubscriptionInitialPayment, decision.paymentCid);
  return actionToConfirm({
    ...decision,
    ansRulesCid: network.ansRules,
    amuletRulesCid: network.amuletRules,
    openMiningRoundCid: network.openRound(round.number).contractId,
  });
}

/** The transfer context of the SVs: the rules, and the round of that number. */
export function appContext(network: DsoFixture, round: bigint): AppTransferContext {
  return network.appContext(network.openRound(round));
}

export function collectRenewal(
  network: DsoFixture,
  given: { contextCid: ContractId; entryCid: ContractId; paymentCid: ContractId },
  sv?: PartyId,
): { ansEntry: ContractId; subscriptionState: ContractId } {
  const { round } = network.sandbox.payloadOf(SubscriptionPayment, given.paymentCid);
  const choiceArg = {
    paymentCid: given.paymentCid,
    entryCid: given.entryCid,
    transferContext: appContext(network, round.number),
    ansRulesCid: network.ansRules,
  };
  const argument = { ansEntryContextCid: given.contextCid, choiceArg };
  return network.bySv("DsoRules_CollectEntryRenewalPayment", argument, sv);
}
