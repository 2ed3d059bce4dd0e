/** Transfers, taps and mints as scan's deprecated lists show them. */
import type { CoinTransaction, CoinTransfer } from "@callsign/api";
import { formatDecimal, formatTime, type Network } from "@callsign/ledger";
import type { CoinActivity, ToldActivity, ToldTransfer } from "../history/coin-activities.ts";
import type { KnownUpdate } from "../history/stored-update.ts";
import { formatOffset } from "./wire-update.ts";

export function showActivity(
  { nodeId, round, told }: CoinActivity,
  update: KnownUpdate,
  { synchronizerId }: Network,
): CoinTransaction {
  return {
    transaction_type: told.type,
    event_id: `#${update.updateId}:${nodeId}`,
    offset: formatOffset(update.recordTime),
    date: formatTime(update.ledgerTime),
    domain_id: synchronizerId,
    round: round === null ? null : Number(round),
    ...{ transfer: null, mint: null, tap: null, abort_transfer_instruction: null },
    ...showTold(told),
  };
}

function showTold(told: ToldActivity): Partial<CoinTransaction> {
  switch (told.type) {
    case "transfer":
      return { transfer: showTransfer(told.transfer) };
    case "mint":
      return { mint: { amulet_owner: told.owner, amulet_amount: formatDecimal(told.amount) } };
    case "devnet_tap":
      return { tap: { amulet_owner: told.owner, amulet_amount: formatDecimal(told.amount) } };
    case "abort_transfer_instruction":
      return {
        abort_transfer_instruction: { abort_kind: told.kind, transfer_instruction_cid: told.contractId },
      };
  }
}

function showTransfer({ sender, amounts, receivers, ...transfer }: ToldTransfer): CoinTransfer {
  const { instruction } = transfer;
  const offer = instruction?.offer ?? null;
  return {
    sender: {
      party: sender,
      input_amulet_amount: formatDecimal(amounts.input),
      input_app_reward_amount: formatDecimal(amounts.appRewards),
      input_validator_reward_amount: formatDecimal(amounts.validatorRewards),
      input_sv_reward_amount: formatDecimal(amounts.svRewards),
      input_validator_faucet_amount: amounts.faucet === null ? null : formatDecimal(amounts.faucet),
      sender_change_fee: formatDecimal(amounts.changeFee),
      sender_change_amount: formatDecimal(amounts.change),
      sender_fee: formatDecimal(amounts.fee),
      holding_fees: formatDecimal(amounts.holdingFees),
    },
    receivers: receivers.map(({ party, amount, fee }) => ({
      party,
      amount: formatDecimal(amount),
      receiver_fee: formatDecimal(fee),
    })),
    // Splice no longer keeps balances.
    balance_changes: [],
    description: transfer.description,
    transferInstructionReceiver: offer?.receiver ?? null,
    transferInstructionAmount: offer === null ? null : formatDecimal(offer.amount),
    transferInstructionCid: instruction?.contractId ?? null,
    transfer_kind: transfer.kind,
  };
}
