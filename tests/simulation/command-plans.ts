/** Plans of random commands: each kind of step with the parties that together may ask for it. */

import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { type Command, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { AnyTemplateDeclaration } from "../../packages/ledger/src/engine/declaration.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal, type decimalFromUnits } from "../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import type { NameNetwork } from "../../packages/ledger/testing/name-fixture.ts";
import { testParty } from "../../packages/ledger/testing/sandbox.ts";
import { alice, inputAmulet, validator } from "../../packages/ledger/testing/subscription-fixture.ts";

export const dso = testParty("DSO");

/** The commands of a step, the parties that together may submit them, and the contracts to disclose. */
export interface Plan {
  readonly commands: readonly Command[];
  readonly rightful: readonly PartyId[];
}

type Planner = (network: NameNetwork, step: SequenceStep) => Plan | null;

export const PLANS: Readonly<Record<string, Planner>> = {
  tap: (network, { user, amount }) => {
    const argument = { receiver: user, amount, openRound: network.usableRound().contractId };
    return plan(
      [user],
      exerciseCommand(AmuletRules, network.amuletRules, "AmuletRules_DevNet_Tap", argument),
    );
  },
  transfer: (network, { user, other, amount }) => {
    const inputs = coinsOf(network, user).map(inputAmulet);
    const output = { receiver: other, receiverFeeRatio: decimal("0.0"), amount, lock: null };
    const transfer = { sender: user, provider: validator, inputs, outputs: [output], beneficiaries: null };
    const argument = { transfer, context: network.transferContext(), expectedDso: network.dso };
    return plan(
      [user, other, validator],
      exerciseCommand(AmuletRules, network.amuletRules, "AmuletRules_Transfer", argument),
    );
  },
  request: (network, { user }) => {
    const argument = { name: "a.unverified.cns", url: "", description: "", user };
    return plan([user], exerciseCommand(AnsRules, network.ansRules, "AnsRules_RequestEntry", argument));
  },
  accept: (network, { pick }) => {
    const request = one(network, SubscriptionRequest, pick);
    if (request === null) return null;
    const user = request.payload.subscriptionData.sender;
    const inputs = coinsOf(network, user).map(inputAmulet);
    const argument = { inputs, context: network.paymentContext(), walletProvider: validator };
    const choice = "SubscriptionRequest_AcceptAndMakePayment";
    return plan(
      [user, validator],
      exerciseCommand(SubscriptionRequest, request.contractId, choice, argument),
    );
  },
  decide: (network, { pick, amount }) => {
    const payment = one(network, SubscriptionInitialPayment, pick);
    const context = network.sandbox
      .active(AnsEntryContext)
      .find(({ payload }) => payload.reference === payment?.payload.reference);
    if (payment === null || context === undefined) return null;
    const argument = {
      paymentCid: payment.contractId,
      transferContext: network.appContext(),
      ansRulesCid: network.ansRules,
    };
    const choice =
      amount % 3n === 0n
        ? "AnsEntryContext_RejectEntryInitialPayment"
        : "AnsEntryContext_CollectInitialEntryPayment";
    return plan([network.dso], exerciseCommand(AnsEntryContext, context.contractId, choice, argument));
  },
  renew: (network, { pick }) => {
    const idle = one(network, SubscriptionIdleState, pick);
    if (idle === null) return null;
    const user = idle.payload.subscriptionData.sender;
    const inputs = coinsOf(network, user).map(inputAmulet);
    const argument = { inputs, context: network.paymentContext(), walletProvider: validator };
    const choice = "SubscriptionIdleState_MakePayment";
    return plan([user, validator], exerciseCommand(SubscriptionIdleState, idle.contractId, choice, argument));
  },
  collectRenewal: (network, { pick }) => {
    const payment = one(network, SubscriptionPayment, pick);
    const context = network.sandbox
      .active(AnsEntryContext)
      .find(({ payload }) => payload.reference === payment?.payload.reference);
    const entry = network.sandbox
      .active(AnsEntry)
      .find(({ payload }) => payload.expiresAt === payment?.payload.thisPaymentDueAt);
    if (payment === null || context === undefined || entry === undefined) return null;
    const argument = {
      paymentCid: payment.contractId,
      entryCid: entry.contractId,
      transferContext: network.appContext(),
      ansRulesCid: network.ansRules,
    };
    const choice = "AnsEntryContext_CollectEntryRenewalPayment";
    return plan([network.dso], exerciseCommand(AnsEntryContext, context.contractId, choice, argument));
  },
  returnRenewal: (network, { pick }) => {
    const payment = one(network, SubscriptionPayment, pick);
    if (payment === null) return null;
    const user = payment.payload.subscriptionData.sender;
    const argument = { actor: user, transferContext: network.appContext() };
    return plan(
      [user],
      exerciseCommand(SubscriptionPayment, payment.contractId, "SubscriptionPayment_Expire", argument),
    );
  },
  cancel: (network, { pick }) => {
    const idle = one(network, SubscriptionIdleState, pick);
    const choice = "SubscriptionIdleState_CancelSubscription";
    const user = idle?.payload.subscriptionData.sender ?? alice;
    return idle === null
      ? null
      : plan([user], exerciseCommand(SubscriptionIdleState, idle.contractId, choice, {}));
  },
  expireEntry: (network, { pick }) => {
    const entry = one(network, AnsEntry, pick);
    const user = entry?.payload.user ?? alice;
    const argument = { actor: user };
    return entry === null
      ? null
      : plan([user], exerciseCommand(AnsEntry, entry.contractId, "AnsEntry_Expire", argument));
  },
  unlock: (network, { pick }) => {
    const locked = one(network, LockedAmulet, pick);
    const user = locked?.payload.amulet.owner ?? alice;
    const choice = "LockedAmulet_OwnerExpireLockV2";
    return locked === null
      ? null
      : plan([user], exerciseCommand(LockedAmulet, locked.contractId, choice, {}));
  },
  advance: (network) => {
    const [oldest, middle, latest] = network.openRounds();
    if (oldest === undefined || middle === undefined || latest === undefined) return null;
    const argument = {
      amuletPrice: decimal("0.007"),
      roundToArchiveCid: oldest.contractId,
      middleRoundCid: middle.contractId,
      latestRoundCid: latest.contractId,
    };
    const choice = "AmuletRules_AdvanceOpenMiningRounds";
    return plan([network.dso], exerciseCommand(AmuletRules, network.amuletRules, choice, argument));
  },
};

export interface SequenceStep {
  readonly kind: string;
  readonly user: PartyId;
  readonly other: PartyId;
  /** Null: those that together may. */
  readonly actAs: readonly PartyId[] | null;
  readonly readAs: readonly PartyId[];
  readonly isDisclosed: boolean;
  readonly amount: ReturnType<typeof decimalFromUnits>;
  /** The choice among several contracts, or among garbage. */
  readonly pick: number;
  readonly micros: bigint;
}

function plan(rightful: readonly PartyId[], ...commands: readonly Command[]): Plan {
  return { rightful: [...new Set(rightful)], commands };
}

function one<T extends AnyTemplateDeclaration>({ sandbox }: NameNetwork, template: T, pick: number) {
  const found = sandbox.active(template);
  return found[pick % found.length] ?? null;
}

function coinsOf({ sandbox }: NameNetwork, owner: PartyId): readonly ContractId[] {
  return sandbox
    .active(Amulet)
    .filter(({ payload }) => payload.owner === owner && payload.dso === dso)
    .map(({ contractId }) => contractId);
}
