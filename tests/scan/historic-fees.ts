/** Fees as networks had them before the coin's rules refused every fee but the one for holding, in dollars. */
import { decimal } from "../../packages/ledger/src/values/decimal.ts";

export const HISTORIC_FEES = {
  createFee: { fee: decimal("0.03") },
  holdingFee: { rate: decimal("0.0000190259") },
  lockHolderFee: { fee: decimal("0.005") },
  transferFee: {
    initialRate: decimal("0.01"),
    steps: [
      { _1: decimal("100.0"), _2: decimal("0.001") },
      { _1: decimal("1000.0"), _2: decimal("0.0001") },
      { _1: decimal("1000000.0"), _2: decimal("0.00001") },
    ],
  },
};
