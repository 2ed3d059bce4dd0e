/**
 * Collecting a payment: only in the round it was locked in, whose price fixed its amounts. The unlock-and-transfer
 * step moves exactly those amounts to the receivers; the app is the provider of this transfer.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type {
  AppTransferContext,
  TransferOutput,
  TransferResult,
} from "../splice-amulet/declarations/transfer.ts";
import { fetchOpenRound } from "../splice-amulet/rounds/fetch-open-round.ts";

export interface PaymentParties {
  readonly sender: PartyId;
  readonly provider: PartyId;
  readonly dso: PartyId;
}

export function requireRoundOfPayment(
  update: Update,
  when: "subscription request" | "subscription payment" | "payment acceptance",
  { round, dso, provider }: { readonly round: Round } & Pick<PaymentParties, "dso" | "provider">,
  { openMiningRound }: AppTransferContext,
): void {
  const atCollection = fetchOpenRound(update, openMiningRound, { dso, reader: provider }).round;
  const label = `Round at ${when} ${round.number} matches round at collection ${atCollection.number}`;
  requireThat(label, round.number === atCollection.number);
}

/** The coins made, in the order of the outputs. */
export function unlockAndTransfer(
  update: Update,
  { sender, provider, dso }: PaymentParties,
  payment: { readonly lockedAmulet: ContractId; readonly outputs: readonly TransferOutput[] },
  { amuletRules, openMiningRound, featuredAppRight }: AppTransferContext,
): readonly ContractId[] {
  const { amuletCid } = update.exercise(LockedAmulet, payment.lockedAmulet, "LockedAmulet_UnlockV2", {});
  const result = update.exercise(AmuletRules, amuletRules, "AmuletRules_Transfer", {
    transfer: {
      sender,
      provider,
      inputs: [{ tag: "InputAmulet", value: amuletCid }],
      outputs: payment.outputs,
      beneficiaries: null,
    },
    context: { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight },
    expectedDso: dso,
  });
  requireThat("Precomputed fees were exact", result.summary.senderChangeFee === ZERO);
  return result.createdAmulets.map(coinOf);
}

function coinOf(created: TransferResult["createdAmulets"][number]): ContractId {
  return created.tag === "TransferResultAmulet"
    ? created.value
    : abort("The transfer of a collected payment creates coins that are not locked");
}
