/**
 * The lock step: accepting a subscription and paying for its next interval both lock the price in coin of the
 * round the wallet chose. The coin stays the sender's; receiver and app hold the lock, and it outlives the round:
 * a round is open until its target closing time, and at least one tick from now.
 */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, laterTime } from "../../values/time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type {
  PaymentTransferContext,
  TransferInput,
  TransferOutput,
  TransferResult,
} from "../splice-amulet/declarations/transfer.ts";
import type { SubscriptionData, SubscriptionPayData } from "./declarations/subscriptions.ts";
import { fetchOpenRound } from "./fetch-open-round.ts";
import { paymentAmountToAmulet } from "./payment-amount-to-amulet.ts";

export interface LockedPayment {
  readonly targetAmount: Decimal;
  readonly lockedAmulet: ContractId;
  /** The round the coin was locked in; the payment can be collected in this one only. */
  readonly round: Round;
  readonly senderChange: ContractId | null;
}

export function lockPayment(
  update: Update,
  terms: { readonly subscriptionData: SubscriptionData; readonly payData: SubscriptionPayData },
  payment: {
    readonly inputs: readonly TransferInput[];
    readonly context: PaymentTransferContext;
    readonly walletProvider: PartyId;
  },
): LockedPayment {
  const { sender, receiver, provider, dso, description } = terms.subscriptionData;
  const { inputs, context, walletProvider } = payment;
  const round = fetchOpenRound(update, context.context.openMiningRound, { dso, reader: sender });
  const targetAmount = paymentAmountToAmulet(terms.payData.paymentAmount, round.amuletPrice);
  const output: TransferOutput = {
    receiver: sender,
    receiverFeeRatio: ZERO,
    amount: targetAmount,
    lock: {
      holders: lockHolders(provider, receiver),
      expiresAt: laterTime(addDuration(update.now, round.tickDuration.microseconds), round.targetClosesAt),
      optContext: `amulet-subscription: ${description}`,
    },
  };
  const result = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_Transfer", {
    transfer: { sender, provider: walletProvider, inputs, outputs: [output], beneficiaries: null },
    context: context.context,
    expectedDso: dso,
  });
  const lockedAmulet = onlyLockedAmulet(result);
  return { targetAmount, lockedAmulet, round: result.round, senderChange: result.senderChangeAmulet };
}

/** Sorted and without duplicates; party ids are ASCII, so their order is that of the strings. */
function lockHolders(provider: PartyId, receiver: PartyId): readonly PartyId[] {
  if (provider === receiver) return [provider];
  return provider < receiver ? [provider, receiver] : [receiver, provider];
}

function onlyLockedAmulet({ createdAmulets }: TransferResult): ContractId {
  const [created] = createdAmulets;
  return createdAmulets.length === 1 && created?.tag === "TransferResultLockedAmulet"
    ? created.value
    : abort("The transfer of a locked payment creates one locked coin");
}
