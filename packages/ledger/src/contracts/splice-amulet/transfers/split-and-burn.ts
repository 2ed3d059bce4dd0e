/**
 * Paying the network: the price is split off the sender's coin and burned, to the last digit. The sender's validator
 * may claim a reward for the whole burn; a featured sender earns nothing extra by it.
 */
import { abort } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import { add, type Decimal, subtract, sum, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { compareAscii } from "../../../values/text.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forOwner } from "../../checks/contract-group.ts";
import type { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { valueAsOfRoundZero } from "../coin/expiring-amount.ts";
import { transferMetadata } from "../coin/holding-metadata.ts";
import { Amulet } from "../declarations/amulet.ts";
import { ValidatorRewardCoupon } from "../declarations/reward-coupons.ts";
import type {
  BalanceChange,
  TransferContext,
  TransferInput,
  TransferResult,
  TransferSummary,
} from "../declarations/transfer.ts";
import { readTransferContext } from "./transfer-context.ts";
import { transferOnTerms } from "./transfer-engine.ts";

export interface Burn {
  readonly sender: PartyId;
  readonly amount: Decimal;
  readonly inputs: readonly TransferInput[];
  readonly context: TransferContext;
  /** A few words for people. */
  readonly usage: string;
}

export interface Burned {
  /** Its summary counts the burned coin as gone. */
  readonly transferResult: TransferResult;
  readonly meta: Metadata;
}

export function splitAndBurn(
  update: Update,
  dso: PartyId,
  { sender, amount, inputs, context, usage }: Burn,
): Burned {
  const transfer = {
    sender,
    provider: sender,
    inputs,
    outputs: [{ receiver: sender, receiverFeeRatio: ZERO, amount, lock: null }],
    beneficiaries: null,
  };
  const terms = { ...readTransferContext(update, dso, transfer, context), isFeatured: false };
  const split = transferOnTerms(update, terms, transfer);
  const [created] = split.createdAmulets;
  if (created?.tag !== "TransferResultAmulet") return abort("A split creates one coin that is not locked");
  const burned = fetchAndArchive(update, Amulet, created.value, forOwner({ dso, owner: sender }));
  const { summary, round } = split;
  update.create(ValidatorRewardCoupon, {
    dso,
    user: sender,
    amount: add(amount, sum(summary.outputFees)),
    round,
  });
  return {
    transferResult: { ...split, summary: withoutBurned(summary, burned), meta: null },
    meta: transferMetadata({ kind: "burn", reason: usage, burned: amount }, summary),
  };
}

function withoutBurned(summary: TransferSummary, { owner, amount }: Amulet): TransferSummary {
  const gone: BalanceChange = {
    changeToInitialAmountAsOfRoundZero: subtract(ZERO, valueAsOfRoundZero(amount)),
    changeToHoldingFeesRate: subtract(ZERO, amount.ratePerRound.rate),
  };
  const balanceChanges = new Map(summary.balanceChanges);
  const before = balanceChanges.get(owner);
  balanceChanges.set(owner, before === undefined ? gone : addChanges(before, gone));
  return { ...summary, balanceChanges: [...balanceChanges].sort(([a], [b]) => compareAscii(a, b)) };
}

function addChanges(a: BalanceChange, b: BalanceChange): BalanceChange {
  return {
    changeToInitialAmountAsOfRoundZero: add(
      a.changeToInitialAmountAsOfRoundZero,
      b.changeToInitialAmountAsOfRoundZero,
    ),
    changeToHoldingFeesRate: add(a.changeToHoldingFeesRate, b.changeToHoldingFeesRate),
  };
}
