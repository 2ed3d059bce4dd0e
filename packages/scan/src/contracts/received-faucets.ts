/** The rounds in which a validator was up, by its licence. */
import type { ReceivedFaucets } from "@callsign/api";
import type { ValidatorLicense } from "@callsign/ledger";

/** All zero for a validator that was never up. */
export function countRounds({ validator, faucetState }: ValidatorLicense): ReceivedFaucets {
  const missed = Number(faucetState?.numCouponsMissed ?? 0n);
  const first = Number(faucetState?.firstReceivedFor.number ?? 0n);
  const last = Number(faucetState?.lastReceivedFor.number ?? 0n);
  return {
    validator,
    numRoundsCollected: faucetState === null ? 0 : last - first - missed + 1,
    numRoundsMissed: missed,
    firstCollectedInRound: first,
    lastCollectedInRound: last,
  };
}

/** Most rounds first. */
export function byRoundsCollected(a: ReceivedFaucets, b: ReceivedFaucets): number {
  if (a.numRoundsCollected !== b.numRoundsCollected) return b.numRoundsCollected - a.numRoundsCollected;
  return a.validator < b.validator ? -1 : 1;
}
