/** A coin, locked or not, as wallets of the token standard see it: always with its full amount. */
import { formatDecimalShort } from "../../../values/decimal.ts";
import type { HoldingView } from "../../splice-api-token-v1/holding.ts";
import type { Amulet } from "../declarations/amulet.ts";
import type { TimeLock } from "../declarations/fees.ts";
import { AMULET_PREFIX } from "./holding-metadata.ts";
import { amuletInstrument } from "./instrument.ts";

export function holdingView({ dso, owner, amount }: Amulet, lock: TimeLock | null): HoldingView {
  return {
    owner,
    instrumentId: amuletInstrument(dso),
    amount: amount.initialAmount,
    lock:
      lock === null
        ? null
        : {
            holders: lock.holders,
            expiresAt: lock.expiresAt,
            expiresAfter: null,
            context: lock.optContext,
          },
    meta: {
      values: [
        [`${AMULET_PREFIX}created-in-round`, amount.createdAt.number.toString()],
        [`${AMULET_PREFIX}rate-per-round`, formatDecimalShort(amount.ratePerRound.rate)],
      ],
    },
  };
}
