/** Rounds that were seen from their opening on, so that their sums are whole. */
import type { Time } from "@callsign/ledger";

export interface SeenRounds {
  readonly has: (round: bigint) => boolean;
  /** Undefined before there is one. */
  readonly findFirst: () => bigint | undefined;
  /** The ledger time at which a round closed; undefined for one that is not closed, or was not seen. */
  readonly findEnd: (round: bigint) => Time | undefined;
}
