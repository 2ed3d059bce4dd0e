/** Sums of a party by round: minted rewards of apps and validators, as in Splice, and purchases of traffic. */
import type { Decimal, PartyId } from "@callsign/ledger";
import type { CountedTransfer, RewardKind } from "./counted-transfers.ts";

export const SUMMED = ["app", "validator", "traffic", "paid", "purchases"] as const;

export interface PartySums {
  readonly app: Decimal;
  readonly validator: Decimal;
  /** Bytes of bought traffic, and the coin that was paid for them. */
  readonly traffic: bigint;
  readonly paid: Decimal;
  readonly purchases: bigint;
}

export interface PartyTotals {
  readonly party: PartyId;
  readonly round: bigint;
  readonly sums: PartySums;
  /** From the first round on, up to this one. */
  readonly totals: PartySums;
}

/** Rows of rounds in which the party minted or bought something. */
export interface PartyTotalsReader {
  /** By party. */
  readonly listOfRound: (round: bigint, limit: number) => readonly PartyTotals[];
  /** Each party's last ones up to a round, which is closed: they do not change any more. */
  readonly listLatest: (round: bigint) => readonly PartyTotals[];
  /** The last round up to a given one in which the party bought traffic. */
  readonly findLastPurchase: (party: PartyId, round: bigint) => bigint | undefined;
}

export function sumsOf({ rewards, traffic }: CountedTransfer): PartySums {
  const minted = (kind: RewardKind) =>
    rewards.reduce((sum, reward) => (reward.kind === kind ? sum + reward.amount : sum), 0n) as Decimal;
  return {
    app: minted("app"),
    validator: minted("validator"),
    traffic: traffic?.bytes ?? 0n,
    paid: traffic?.paid ?? (0n as Decimal),
    purchases: traffic === null ? 0n : 1n,
  };
}

export function isNothing(sums: PartySums): boolean {
  return SUMMED.every((column) => sums[column] === 0n);
}
