/** A mining round's number. Rounds are numbered from the network's first, never below zero. */

import { int64, parseInt64 } from "./int64.ts";
import { malformed, type Parsed, parsed } from "./parsed.ts";

export interface Round {
  readonly number: bigint;
}

export function parseRound(given: string): Parsed<Round> {
  const number = parseInt64(given);
  if (number.ok && number.value >= 0n) return parsed({ number: number.value });
  return malformed("round", given, "a round is a whole number of at least 0");
}

export function formatRound(round: Round): string {
  return round.number.toString();
}

export function compareRounds(a: Round, b: Round): number {
  return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
}

export function laterRound(round: Round, by: bigint): Round {
  return { number: int64(round.number + by) };
}
