/** The coin of an owner at a snapshot. Coin is spendable in full; the ledger takes no holding fees. */
import type { HoldingsSummary } from "@callsign/api";
import { type Decimal, formatDecimal, holdingFee, isDecimalUnits } from "@callsign/ledger";

export interface Holding {
  readonly isLocked: boolean;
  readonly amount: Decimal;
  /** The round of its creation. */
  readonly round: bigint;
  readonly ratePerRound: Decimal;
}

export function summarizeHoldings(
  party: string,
  holdings: readonly Holding[],
  asOfRound: bigint,
): HoldingsSummary {
  const coin = { unlocked: 0n, locked: 0n };
  const fees = { unlocked: 0n, locked: 0n };
  for (const { isLocked, amount, round, ratePerRound } of holdings) {
    const side = isLocked ? "locked" : "unlocked";
    const aged = {
      initialAmount: amount,
      createdAt: { number: round },
      ratePerRound: { rate: ratePerRound },
    };
    coin[side] += amount;
    fees[side] += holdingFee(aged, asOfRound);
  }
  return {
    party_id: party,
    total_unlocked_coin: formatTotal(coin.unlocked),
    total_locked_coin: formatTotal(coin.locked),
    total_coin_holdings: formatTotal(coin.unlocked + coin.locked),
    accumulated_holding_fees_unlocked: formatTotal(fees.unlocked),
    accumulated_holding_fees_locked: formatTotal(fees.locked),
    accumulated_holding_fees_total: formatTotal(fees.unlocked + fees.locked),
    total_available_coin: formatTotal(coin.unlocked - fees.unlocked),
  };
}

const LARGEST = (10n ** 38n - 1n) as Decimal;

/** The largest amount stands for a sum that exceeds it, as the sum of all coin of a DevNet may. */
export function formatTotal(total: bigint): string {
  return formatDecimal(isDecimalUnits(total) ? total : LARGEST);
}
