/**
 * The lock step of a payment: the amount is split off the sender's coin and locked. The coin stays the sender's;
 * receivers and app hold the lock, and it outlives the round: a round is open until its target closing time, and at
 * least one tick from now.
 */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, laterTime } from "../../values/time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type {
  PaymentTransferContext,
  TransferInput,
  TransferOutput,
  TransferResult,
} from "../splice-amulet/declarations/transfer.ts";

export interface LockTerms {
  readonly sender: PartyId;
  readonly dso: PartyId;
  readonly amount: Decimal;
  /** In order, none twice. */
  readonly holders: readonly PartyId[];
  readonly optContext: string;
}

/** The inputs and the context of a payment by the sender's wallet. */
export interface WalletPayment {
  readonly inputs: readonly TransferInput[];
  readonly context: PaymentTransferContext;
  readonly walletProvider: PartyId;
}

export interface LockedCoin {
  readonly lockedAmulet: ContractId;
  /** The round the coin was locked in; the payment can be collected in this one only. */
  readonly round: Round;
  readonly senderChange: ContractId | null;
}

export function lockCoin(
  update: Update,
  { sender, dso, amount, holders, optContext }: LockTerms,
  round: OpenMiningRound,
  { inputs, context, walletProvider }: WalletPayment,
): LockedCoin {
  const expiresAt = laterTime(addDuration(update.now, round.tickDuration.microseconds), round.targetClosesAt);
  const output: TransferOutput = {
    receiver: sender,
    receiverFeeRatio: ZERO,
    amount,
    lock: { holders, expiresAt, optContext },
  };
  const result = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_Transfer", {
    transfer: { sender, provider: walletProvider, inputs, outputs: [output], beneficiaries: null },
    context: context.context,
    expectedDso: dso,
  });
  const lockedAmulet = onlyLockedAmulet(result);
  return { lockedAmulet, round: result.round, senderChange: result.senderChangeAmulet };
}

function onlyLockedAmulet({ createdAmulets }: TransferResult): ContractId {
  const [created] = createdAmulets;
  return createdAmulets.length === 1 && created?.tag === "TransferResultLockedAmulet"
    ? created.value
    : abort("The transfer of a locked payment creates one locked coin");
}
