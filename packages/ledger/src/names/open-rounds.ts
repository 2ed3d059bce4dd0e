// The OpenMiningRounds a decision may name. There are three at a time, the newest usually not yet usable.

export type OpenRound = { readonly number: bigint; readonly cid: string };

/** The round with that number, while it is open. Once closed, a round never opens again. */
export function findOpenRound(rounds: readonly OpenRound[], number: bigint): OpenRound | undefined {
  return rounds.find((round) => round.number === number);
}

/**
 * The round with the highest number, whether or not its opening time has come: giving coin back only reads the
 * round, and of all rounds this one stays on the ledger for the longest.
 */
export function findNewestRound(rounds: readonly OpenRound[]): OpenRound | undefined {
  return rounds.reduce<OpenRound | undefined>(
    (newest, round) => (newest === undefined || round.number > newest.number ? round : newest),
    undefined,
  );
}
