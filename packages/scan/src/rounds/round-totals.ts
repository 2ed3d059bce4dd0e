/** Sums of rounds that are closed, with all rounds before them, of the network and of its parties, from the first seen one on. */
import type { Decimal, PartyId, Time } from "@callsign/ledger";
import type { CollectedRewards } from "./collected-rewards.ts";
import type { PartySums, PartyTotals, PartyTotalsReader } from "./party-totals.ts";
import type { SeenRounds } from "./seen-rounds.ts";

export interface RoundRange {
  readonly first: bigint;
  readonly last: bigint;
}

export interface ClosedRound {
  readonly round: bigint;
  readonly closedAt: Time;
  readonly app: Decimal;
  readonly validator: Decimal;
  readonly appTotal: Decimal;
  readonly validatorTotal: Decimal;
}

export interface Leader {
  readonly party: PartyId;
  readonly totals: PartySums;
}

export class RoundTotals {
  readonly #rewards: CollectedRewards;
  readonly #seen: SeenRounds;
  readonly #parties: PartyTotalsReader;

  constructor(rewards: CollectedRewards, seen: SeenRounds, parties: PartyTotalsReader) {
    this.#rewards = rewards;
    this.#seen = seen;
    this.#parties = parties;
  }

  /** The rounds whose sums are known; undefined if there are none. */
  findRange(): RoundRange | undefined {
    const [begin, closed] = [this.#seen.findFirst(), this.#rewards.findRounds()];
    if (begin === undefined || closed === undefined || begin > closed.last) return undefined;
    return { first: begin > closed.first ? begin : closed.first, last: closed.last };
  }

  /** When one of these rounds closed. */
  findEnd(round: bigint): Time | undefined {
    return this.#seen.findEnd(round);
  }

  list({ first, last }: RoundRange): readonly ClosedRound[] {
    let { app: appTotal, validator: validatorTotal } = this.#rewards.sumUpTo(first - 1n);
    return Array.from({ length: Number(last - first) + 1 }, (_, place) => {
      const round = first + BigInt(place);
      const { app, validator } = this.#rewards.byKind(round);
      appTotal = (appTotal + app) as Decimal;
      validatorTotal = (validatorTotal + validator) as Decimal;
      const closedAt = this.#seen.findEnd(round) ?? (0n as Time);
      return { round, closedAt, app, validator, appTotal, validatorTotal };
    });
  }

  /** Of one round, by party. */
  listParties(round: bigint, limit: number): readonly PartyTotals[] {
    return this.#parties.listOfRound(round, limit);
  }

  /** The parties with the highest sums up to the last round, the highest first; of equal ones, those with the higher id. */
  listLeaders(last: bigint, by: keyof PartySums, limit: number): readonly Leader[] {
    return this.#parties
      .listLatest(last)
      .filter(({ totals }) => totals[by] > 0n)
      .sort((a, b) => compare(b.totals[by], a.totals[by]) || compare(b.party, a.party))
      .slice(0, limit);
  }

  findLastPurchase(party: PartyId, last: bigint): bigint {
    return this.#parties.findLastPurchase(party, last) ?? 0n;
  }
}

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
