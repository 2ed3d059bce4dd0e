/**
 * Rewards of apps and validators that were minted, by the open round of the transfer that minted them. A round
 * counts once it and all before it are closed. The ledger has no coupons yet, so nothing can be minted and every
 * sum is zero; once it has, the sums by round belong here.
 */
import { type Decimal, ZERO } from "@callsign/ledger";
import type { CurrentContracts } from "../contracts/current-contracts.ts";
import { ROUND_TEMPLATES } from "../contracts/current-templates.ts";
import type { OpenedRounds } from "./opened-rounds.ts";

export class CollectedRewards {
  readonly #contracts: CurrentContracts;
  readonly #opened: OpenedRounds;

  constructor(contracts: CurrentContracts, opened: OpenedRounds) {
    this.#contracts = contracts;
    this.#opened = opened;
  }

  /** Of all rounds that count; zero if none does. */
  total(): Decimal {
    return ZERO;
  }

  /** Of one round; undefined if it does not count yet. Rounds before the network's first have no rewards. */
  findByRound(round: bigint): Decimal | undefined {
    const last = this.#findLastClosed();
    return last === undefined || round > last ? undefined : ZERO;
  }

  /** The last round such that no round up to it is open, summarized or issuing. */
  #findLastClosed(): bigint | undefined {
    const first = this.#opened.findFirst();
    const live = ROUND_TEMPLATES.flatMap((template) => this.#contracts.findLowestRound(template) ?? []);
    if (first === undefined || live.length === 0) return undefined;
    const last = live.reduce((least, round) => (round < least ? round : least)) - 1n;
    return last < first ? undefined : last;
  }
}
