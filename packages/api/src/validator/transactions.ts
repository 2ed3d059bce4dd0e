/**
 * The history of a wallet's coin. Amounts count coin that is not locked: a lock takes coin out of the balance, an unlock
 * puts it back. `name` and `refund_reason` are ours; everything else is Splice's.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";

const ListTransactionsRequest = z
  .object({
    /** 1 to 1000. */
    page_size: int64,
    /** The event id of the last item of the page before; empty for the first page. */
    begin_after_id: orNull(z.string()),
  })
  .meta({ id: "ListTransactionsRequest" });

/** The change of the party's balance. */
const PartyAndAmount = z.object({ party: z.string(), amount: fixedDecimal }).meta({ id: "PartyAndAmount" });

const TransactionSubtype = z
  .object({
    template_id: z.string(),
    choice: z.string(),
    amulet_operation: orNull(z.string()),
    interface_id: orNull(z.string()),
  })
  .meta({ id: "TransactionSubtype" });

/** `event_id` is `#<update id>:<node id>`. */
const common = { transaction_subtype: TransactionSubtype, event_id: z.string(), date: dateTime } as const;

/** The name that a payment was for; null if it was for none. */
const name = orNull(z.string());

const TransferItem = z
  .object({
    transaction_type: z.enum(["transfer"]),
    ...common,
    sender: PartyAndAmount,
    receivers: z.array(PartyAndAmount),
    holding_fees: fixedDecimal,
    app_rewards_used: fixedDecimal,
    validator_rewards_used: fixedDecimal,
    sv_rewards_used: fixedDecimal,
    development_fund_coupons_used: fixedDecimal,
    transfer_instruction_receiver: orNull(z.string()),
    transfer_instruction_amount: orNull(fixedDecimal),
    transfer_instruction_cid: orNull(z.string()),
    description: orNull(z.string()),
    name,
  })
  .meta({ id: "TransferResponseItem" });

/** Why a payment for a name came back. `not_collected`: nobody took it before its lock ran out. */
export const RefundReason = z
  .enum(["lost_race", "invalid_name", "invalid_url", "invalid_description", "too_late", "not_collected"])
  .meta({ id: "RefundReason" });
export type RefundReason = z.output<typeof RefundReason>;

const BalanceChangeItem = z
  .object({
    transaction_type: z.enum(["balance_change"]),
    ...common,
    /** Exactly one. */
    receivers: z.array(PartyAndAmount),
    transfer_instruction_cid: orNull(z.string()),
    name,
    refund_reason: orNull(RefundReason),
  })
  .meta({ id: "BalanceChangeResponseItem" });

const NotificationItem = z
  .object({ transaction_type: z.enum(["notification"]), ...common, details: z.string() })
  .meta({ id: "NotificationResponseItem" });

/** An update that could not be understood. */
const UnknownItem = z
  .object({ transaction_type: z.enum(["unknown"]), ...common })
  .meta({ id: "UnknownResponseItem" });

export const TransactionItem = z
  .union([TransferItem, BalanceChangeItem, NotificationItem, UnknownItem])
  .meta({ id: "ListTransactionsResponseItem" });
export type TransactionItem = z.output<typeof TransactionItem>;

export const validatorTransactions = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listTransactions: {
    method: "POST",
    path: "/v0/wallet/transactions",
    summary: "The history of the caller's coin, newest first",
    description:
      "A page begins behind an event id; an id that the history does not have gives an empty page.",
    body: ListTransactionsRequest,
    success: json(z.object({ items: z.array(TransactionItem) })),
    errors: [400, 401, 403, 404, 500, 503],
  },
});
