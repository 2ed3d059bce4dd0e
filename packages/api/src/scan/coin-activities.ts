/** Transfers, taps and mints of coin, in the order of the log. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";

const SenderAmount = z
  .object({
    party: z.string(),
    input_amulet_amount: orNull(fixedDecimal),
    input_app_reward_amount: orNull(fixedDecimal),
    input_validator_reward_amount: orNull(fixedDecimal),
    input_sv_reward_amount: orNull(fixedDecimal),
    input_validator_faucet_amount: orNull(fixedDecimal),
    sender_change_fee: fixedDecimal,
    sender_change_amount: fixedDecimal,
    sender_fee: fixedDecimal,
    holding_fees: fixedDecimal,
  })
  .meta({ id: "SenderAmount" });

const ReceiverAmount = z
  .object({ party: z.string(), amount: fixedDecimal, receiver_fee: fixedDecimal })
  .meta({ id: "ReceiverAmount" });

const BalanceChange = z
  .object({
    party: z.string(),
    change_to_initial_amount_as_of_round_zero: fixedDecimal,
    change_to_holding_fees_rate: fixedDecimal,
  })
  .meta({ id: "BalanceChange" });

const CoinTransfer = z
  .object({
    sender: SenderAmount,
    receivers: z.array(ReceiverAmount),
    balance_changes: z.array(BalanceChange),
    description: orNull(z.string()),
    transferInstructionReceiver: orNull(z.string()),
    transferInstructionAmount: orNull(fixedDecimal),
    transferInstructionCid: orNull(z.string()),
    transfer_kind: orNull(
      z.enum(["create_transfer_instruction", "transfer_instruction_accept", "preapproval_send"]),
    ),
  })
  .meta({ id: "Transfer" });
export type CoinTransfer = z.output<typeof CoinTransfer>;

const AmuletAmount = z
  .object({ amulet_owner: z.string(), amulet_amount: fixedDecimal })
  .meta({ id: "AmuletAmount" });

const AbortTransferInstruction = z
  .object({ abort_kind: z.enum(["withdraw", "reject"]), transfer_instruction_cid: z.string() })
  .meta({ id: "AbortTransferInstruction" });

const activityType = z.enum(["transfer", "mint", "devnet_tap", "abort_transfer_instruction"]);

const activity = {
  event_id: z.string(),
  offset: orNull(z.string()),
  date: dateTime,
  domain_id: z.string(),
  round: orNull(int64),
  transfer: orNull(CoinTransfer),
  mint: orNull(AmuletAmount),
  tap: orNull(AmuletAmount),
  abort_transfer_instruction: orNull(AbortTransferInstruction),
} as const;

const CoinTransaction = z
  .object({ transaction_type: activityType, ...activity })
  .meta({ id: "TransactionHistoryResponseItem" });
export type CoinTransaction = z.output<typeof CoinTransaction>;

const Activity = z
  .object({ activity_type: activityType, ...activity })
  .meta({ id: "ListActivityResponseItem" });

export const scanCoinActivities = defineEndpoints({
  tags: ["deprecated"],
  deprecated: true,
  auth: "none",
  method: "POST",
  errors: [400, 429, 503],
})({
  listActivity: {
    tags: ["deprecated", "scan"],
    path: "/v0/activities",
    summary: "Transfers, taps and mints, the last ones first",
    body: z
      .object({ begin_after_id: orNull(z.string()), page_size: int64 })
      .meta({ id: "ListActivityRequest" }),
    success: json(z.object({ activities: z.array(Activity) }).meta({ id: "ListActivityResponse" })),
  },
  listTransactionHistory: {
    path: "/v0/transactions",
    summary: "Transfers, taps and mints, from the first or from the last",
    body: z
      .object({
        page_end_event_id: orNull(z.string()),
        sort_order: orNull(z.enum(["asc", "desc"])),
        page_size: int64,
      })
      .meta({ id: "TransactionHistoryRequest" }),
    success: json(
      z.object({ transactions: z.array(CoinTransaction) }).meta({ id: "TransactionHistoryResponse" }),
    ),
  },
});
