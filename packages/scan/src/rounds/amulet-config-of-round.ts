/**
 * A round's fees in coin. On the ledger they stand in dollars; the price of the round converts them, each rounded
 * to ten places. The fee for a transfer is a share of the amount: rates are the same in every currency, and only
 * the amounts from which they hold are converted.
 */
import { type Decimal, divide, type TransferConfig } from "@callsign/ledger";

export interface AmuletConfigOfRound {
  readonly createFee: Decimal;
  readonly holdingFee: Decimal;
  readonly lockHolderFee: Decimal;
  readonly transferFee: {
    readonly initial: Decimal;
    readonly steps: readonly { readonly amount: Decimal; readonly rate: Decimal }[];
  };
}

export function amuletConfigOf(usd: TransferConfig, amuletPrice: Decimal): AmuletConfigOfRound {
  const { initialRate, steps } = usd.transferFee;
  return {
    createFee: divide(usd.createFee.fee, amuletPrice),
    holdingFee: divide(usd.holdingFee.rate, amuletPrice),
    lockHolderFee: divide(usd.lockHolderFee.fee, amuletPrice),
    transferFee: {
      initial: initialRate,
      steps: steps.map(({ _1: amount, _2: rate }) => ({ amount: divide(amount, amuletPrice), rate })),
    },
  };
}
