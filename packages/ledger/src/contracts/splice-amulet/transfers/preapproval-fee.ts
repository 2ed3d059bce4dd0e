/**
 * A preapproval's time is paid for when it is made or renewed, and the coin is burned. It costs its days × the fee of a
 * day, then ÷ the price of coin, each step rounded to ten places. Parts of a day count as such.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, decimal, decimalFromInt, divide, multiply } from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import type { TransferContext, TransferInput } from "../declarations/transfer.ts";
import { fetchOpenRound } from "../rounds/fetch-open-round.ts";
import { type Burned, splitAndBurn } from "./split-and-burn.ts";

/** In dollars a day, where the rules name none. */
const DEFAULT_PREAPPROVAL_FEE = decimal("0.00274");
const MICROSECONDS_PER_DAY = decimalFromInt(DAY);

export interface PreapprovalPayment {
  readonly sender: PartyId;
  /** In microseconds. */
  readonly duration: bigint;
  readonly inputs: readonly TransferInput[];
  readonly context: TransferContext;
  /** A few words for people. */
  readonly usage: string;
}

export function payForPreapproval(
  update: Update,
  rules: AmuletRules,
  { duration, ...payment }: PreapprovalPayment,
): Burned & { readonly amuletPaid: Decimal } {
  const amuletPaid = preapprovalFee(update, rules, duration, payment.context.openMiningRound);
  return { amuletPaid, ...splitAndBurn(update, rules.dso, { ...payment, amount: amuletPaid }) };
}

function preapprovalFee(
  update: Update,
  { dso, configSchedule }: AmuletRules,
  duration: bigint,
  openMiningRound: ContractId,
): Decimal {
  requireThat("duration is positive", duration > 0n);
  const days = divide(decimalFromInt(duration), MICROSECONDS_PER_DAY);
  const usd = multiply(days, configSchedule.initialValue.transferPreapprovalFee ?? DEFAULT_PREAPPROVAL_FEE);
  return divide(usd, fetchOpenRound(update, openMiningRound, { dso, reader: dso }).amuletPrice);
}
