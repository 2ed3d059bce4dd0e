/**
 * The sandbox network with a sender, a receiver and an app: alice subscribes at the pizzeria through la_famiglia's
 * app, for 12 coins every 28 days, payable from a day before the due date. Her wallet is hosted by a validator.
 */
import { type Amulet, LockedAmulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import type { TransferInput } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  type SubscriptionData,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  type SubscriptionPayData,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { decimal } from "../src/values/decimal.ts";
import { DAY } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { SandboxNetwork } from "./network-fixture.ts";
import type { RoundWithId } from "./open-rounds.ts";
import { type Submitting, testParty } from "./sandbox.ts";

export const alice = testParty("alice");
export const bob = testParty("bob");
export const pizzeria = testParty("pizzeria");
export const laFamiglia = testParty("la_famiglia");
export const validator = testParty("validator");

/** A subscription of this description, as Daml shows it. */
export function showPizza(description: string): string {
  const data =
    `SubscriptionData {sender = '${alice}', receiver = '${pizzeria}', provider = '${laFamiglia}', ` +
    `dso = '${testParty("DSO")}', description = "${description}"}`;
  return `Subscription {subscriptionData = ${data}, reference = <contract-id>}`;
}

export const pizzaPayData: SubscriptionPayData = {
  paymentAmount: { amount: decimal("12.0"), unit: "AmuletUnit" },
  paymentInterval: { microseconds: 28n * DAY },
  paymentDuration: { microseconds: DAY },
};

export interface Paying {
  readonly inputs: readonly ContractId[];
  readonly sender?: PartyId;
  readonly walletProvider?: PartyId;
  readonly round?: RoundWithId;
  readonly featuredAppRight?: ContractId | null;
  readonly as?: Submitting;
}

export interface Collecting {
  readonly round?: RoundWithId;
  readonly featuredAppRight?: ContractId | null;
  readonly as?: Submitting;
}

export class SubscriptionNetwork extends SandboxNetwork {
  readonly pizzaData: SubscriptionData = {
    sender: alice,
    receiver: pizzeria,
    provider: laFamiglia,
    dso: this.dso,
    description: "test subscription",
  };
  /** Everybody who signs the contracts of alice's subscription. */
  readonly signers: readonly PartyId[] = [alice, pizzeria, laFamiglia];

  /** Submits as these parties, with the rules and the rounds disclosed as scan would do. */
  as(...actAs: readonly PartyId[]): Submitting {
    return { actAs, disclose: this.disclosures() };
  }

  requestSubscription(
    data: Partial<SubscriptionData> = {},
    payData: SubscriptionPayData = pizzaPayData,
  ): ContractId {
    const subscriptionData = { ...this.pizzaData, ...data };
    const { sender, receiver, provider } = subscriptionData;
    return this.sandbox.create(
      SubscriptionRequest,
      { subscriptionData, payData },
      { actAs: [sender, receiver, provider] },
    );
  }

  accept(requestCid: ContractId, paying: Paying) {
    const choice = "SubscriptionRequest_AcceptAndMakePayment";
    const { argument, as } = this.#payment(paying);
    return this.sandbox.exercise(SubscriptionRequest, requestCid, choice, argument, as);
  }

  makePayment(idleStateCid: ContractId, paying: Paying) {
    const choice = "SubscriptionIdleState_MakePayment";
    const { argument, as } = this.#payment(paying);
    return this.sandbox.exercise(SubscriptionIdleState, idleStateCid, choice, argument, as);
  }

  collectInitial(paymentCid: ContractId, collecting: Collecting = {}) {
    const choice = "SubscriptionInitialPayment_Collect";
    const { argument, as } = this.#collection(collecting);
    return this.sandbox.exercise(SubscriptionInitialPayment, paymentCid, choice, argument, as);
  }

  collectPayment(paymentCid: ContractId, collecting: Collecting = {}) {
    const choice = "SubscriptionPayment_Collect";
    const { argument, as } = this.#collection(collecting);
    return this.sandbox.exercise(SubscriptionPayment, paymentCid, choice, argument, as);
  }

  /** From the request to the first payment collected, all at this moment. */
  subscribe(payData: SubscriptionPayData = pizzaPayData, coin = "12.0") {
    const request = this.requestSubscription({}, payData);
    const { subscriptionPayment } = this.accept(request, { inputs: [this.tap(alice, coin)] });
    return { request, ...this.collectInitial(subscriptionPayment) };
  }

  /** The lock a payment of alice's stands for. */
  lockOf(lockedAmulet: ContractId): LockedAmulet {
    return this.sandbox.payloadOf(LockedAmulet, lockedAmulet);
  }

  #payment(paying: Paying) {
    const { sender = alice, walletProvider = validator, round = this.usableRound() } = paying;
    const { featuredAppRight = null } = paying;
    const context = this.paymentContext({ openMiningRound: round.contractId, featuredAppRight });
    const argument = { inputs: paying.inputs.map(inputAmulet), context, walletProvider };
    return { argument, as: paying.as ?? this.as(sender, walletProvider) };
  }

  #collection({ round, featuredAppRight = null, as = this.as(...this.signers) }: Collecting) {
    return { argument: { transferContext: { ...this.appContext(round), featuredAppRight } }, as };
  }
}

export function inputAmulet(value: ContractId): TransferInput {
  return { tag: "InputAmulet", value };
}

/** A coin as the transfer engine makes it at a price of 0.005: its holding fee is 0.0000190259 ÷ 0.005. */
export function coin(of: { dso: PartyId; owner: PartyId; amount: string; round: bigint }): Amulet {
  return {
    dso: of.dso,
    owner: of.owner,
    amount: {
      initialAmount: decimal(of.amount),
      createdAt: { number: of.round },
      ratePerRound: { rate: decimal("0.00380518") },
    },
  };
}
