/**
 * Collecting a payment: only in the round it was locked in, whose price fixed its amount. The unlock-and-transfer
 * step moves exactly that amount to the receiver; the app is the provider of this transfer.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, ZERO } from "../../values/decimal.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type { AppTransferContext, TransferResult } from "../splice-amulet/declarations/transfer.ts";
import type { SubscriptionData } from "./declarations/subscriptions.ts";
import { fetchOpenRound } from "./fetch-open-round.ts";

export function requireRoundOfPayment(
  update: Update,
  what: "request" | "payment",
  { subscriptionData, round }: { readonly subscriptionData: SubscriptionData; readonly round: Round },
  { openMiningRound }: AppTransferContext,
): void {
  const { dso, provider } = subscriptionData;
  const atCollection = fetchOpenRound(update, openMiningRound, { dso, reader: provider }).round;
  const label = `Round at subscription ${what} ${round.number} matches round at collection ${atCollection.number}`;
  requireThat(label, round.number === atCollection.number);
}

export function unlockAndTransfer(
  update: Update,
  payment: {
    readonly subscriptionData: SubscriptionData;
    readonly targetAmount: Decimal;
    readonly lockedAmulet: ContractId;
  },
  { amuletRules, openMiningRound, featuredAppRight }: AppTransferContext,
): ContractId {
  const { sender, receiver, provider, dso } = payment.subscriptionData;
  const { amuletCid } = update.exercise(LockedAmulet, payment.lockedAmulet, "LockedAmulet_UnlockV2", {});
  const result = update.exercise(AmuletRules, amuletRules, "AmuletRules_Transfer", {
    transfer: {
      sender,
      provider,
      inputs: [{ tag: "InputAmulet", value: amuletCid }],
      outputs: [{ receiver, receiverFeeRatio: ZERO, amount: payment.targetAmount, lock: null }],
      beneficiaries: null,
    },
    context: { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight },
    expectedDso: dso,
  });
  requireThat("Precomputed fees were exact", result.summary.senderChangeFee === ZERO);
  return onlyAmulet(result);
}

function onlyAmulet({ createdAmulets }: TransferResult): ContractId {
  const [created] = createdAmulets;
  return createdAmulets.length === 1 && created?.tag === "TransferResultAmulet"
    ? created.value
    : abort("The transfer of a collected payment creates one coin");
}
