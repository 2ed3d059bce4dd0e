/**
 * The metadata by which wallets of the token standard read a change of holdings: what kind it was, why, who
 * sent, how much was burned. A map's keys must be in order, so each list here is written in order.
 */
import { type Decimal, formatDecimalShort } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { compareAscii } from "../../../values/text.ts";
import type { Metadata } from "../../splice-api-token-v1/metadata.ts";

const SPLICE_PREFIX = "splice.lfdecentralizedtrust.org/";
export const AMULET_PREFIX = `amulet.${SPLICE_PREFIX}`;
export const REASON_KEY = `${SPLICE_PREFIX}reason`;
export const SENDER_KEY = `${SPLICE_PREFIX}sender`;

export type TransactionKind = "transfer" | "unlock" | "merge-split" | "burn" | "mint" | "expire-dust";

type Entries = (readonly [string, string])[];

export interface HoldingTransaction {
  readonly kind: TransactionKind;
  /** A few words for people. */
  readonly reason?: string;
  readonly sender?: PartyId;
  readonly burned?: Decimal;
}

export function holdingTransactionMetadata(transaction: HoldingTransaction): Metadata {
  return { values: transactionEntries(transaction) };
}

/** The rewards a transfer minted, by source. Zeros are left out. */
export interface RewardInputs {
  readonly inputAppRewardAmount: Decimal;
  readonly inputDevelopmentFundAmount: Decimal | null;
  readonly inputSvRewardAmount: Decimal;
  readonly inputUnclaimedActivityRecordAmount: Decimal | null;
  readonly inputValidatorRewardAmount: Decimal;
}

export function transferMetadata(transaction: HoldingTransaction, rewards: RewardInputs): Metadata {
  const values: Entries = [];
  addNonZero(values, `${AMULET_PREFIX}app-rewards`, rewards.inputAppRewardAmount);
  addNonZero(values, `${AMULET_PREFIX}development-fund`, rewards.inputDevelopmentFundAmount);
  addNonZero(values, `${AMULET_PREFIX}sv-rewards`, rewards.inputSvRewardAmount);
  addNonZero(
    values,
    `${AMULET_PREFIX}unclaimed-activity-records`,
    rewards.inputUnclaimedActivityRecordAmount,
  );
  addNonZero(values, `${AMULET_PREFIX}validator-rewards`, rewards.inputValidatorRewardAmount);
  values.push(...transactionEntries(transaction));
  return { values };
}

export function findMetadata({ values }: Metadata, key: string): string | null {
  return values.find(([each]) => each === key)?.[1] ?? null;
}

/** The same with a description as the reason. */
export function withReason(meta: Metadata | null, reason: string | null): Metadata {
  const values = meta?.values ?? [];
  if (reason === null) return { values };
  const others = values.filter(([key]) => key !== REASON_KEY);
  return { values: [...others, [REASON_KEY, reason] as const].sort(([a], [b]) => compareAscii(a, b)) };
}

function transactionEntries({ kind, reason, sender, burned }: HoldingTransaction): Entries {
  const entries: Entries = [];
  addNonZero(entries, `${SPLICE_PREFIX}burned`, burned ?? null);
  if (reason !== undefined) entries.push([REASON_KEY, reason]);
  if (sender !== undefined) entries.push([SENDER_KEY, sender]);
  entries.push([`${SPLICE_PREFIX}tx-kind`, kind]);
  return entries;
}

function addNonZero(entries: Entries, key: string, amount: Decimal | null): void {
  if (amount !== null && amount !== 0n) entries.push([key, formatDecimalShort(amount)]);
}
