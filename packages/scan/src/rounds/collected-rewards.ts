/**
 * Minted rewards, by kind and by the open round of the transfer that minted them, kept for ever. Answers count the rewards
 * of apps and validators, as in Splice. A round counts once it and all rounds before it are closed: no transfer can name
 * it any more, so the sum never changes.
 */
import { type Decimal, ZERO } from "@callsign/ledger";
import type { ContractReader } from "../contracts/contract-reader.ts";
import { ROUND_TEMPLATES } from "../contracts/current-templates.ts";
import { type MintedReward, REWARD_KINDS, type RewardKind } from "./counted-transfers.ts";

/** Amounts of all transfers so far. */
export interface RewardReader {
  readonly amount: (round: bigint, kind: RewardKind) => Decimal;
  /** Of the rounds after one and up to the last. */
  readonly list: (rounds: { readonly after: bigint; readonly last: bigint }) => readonly MintedReward[];
}

const COUNTED: readonly RewardKind[] = ["app", "validator"];

/** Sums of rewards are kept in memory for every so many rounds. */
const ROUNDS_PER_SUM = 32n;

export type RewardSums = Readonly<Record<RewardKind, Decimal>>;

const NOTHING: RewardSums = ofEachKind(() => ZERO);

interface CollectedRewardsParts {
  readonly rewards: RewardReader;
  readonly contracts: ContractReader;
  /** The network's first round. */
  readonly findFirstRound: () => bigint | undefined;
}

export class CollectedRewards {
  readonly #parts: CollectedRewardsParts;
  /** The sums of all rounds before the first one of each stretch. */
  readonly #sums: RewardSums[] = [NOTHING];

  constructor(parts: CollectedRewardsParts) {
    this.#parts = parts;
  }

  /** Of apps and validators, over all rounds that count; zero if none does. */
  total(): Decimal {
    const last = this.#findLastClosed();
    if (last === undefined) return ZERO;
    const sums = this.sumUpTo(last);
    return COUNTED.reduce((total, kind) => add(total, sums[kind]), ZERO);
  }

  /** Of all rounds up to one that counts. */
  sumUpTo(round: bigint): RewardSums {
    const first = this.#parts.findFirstRound() ?? 0n;
    const stretch = Number((round + 1n - first) / ROUNDS_PER_SUM);
    while (this.#sums.length <= stretch) this.#sums.push(this.#sum(first, this.#sums.length - 1));
    return this.#sum(first, stretch, round);
  }

  /** Of all rounds up to one of a stretch of rounds, or up to its end. */
  #sum(first: bigint, stretch: number, round?: bigint): RewardSums {
    const sums = { ...(this.#sums[stretch] ?? NOTHING) };
    const begin = first + BigInt(stretch) * ROUNDS_PER_SUM;
    const last = round ?? begin + ROUNDS_PER_SUM - 1n;
    for (const { kind, amount } of this.#parts.rewards.list({ after: begin - 1n, last }))
      sums[kind] = add(sums[kind], amount);
    return sums;
  }

  /** The first and the last round that counts; undefined if none does. */
  findRounds(): { readonly first: bigint; readonly last: bigint } | undefined {
    const [first, last] = [this.#parts.findFirstRound(), this.#findLastClosed()];
    return first === undefined || last === undefined ? undefined : { first, last };
  }

  /** Of one round; undefined if it does not count yet. Rounds before the network's first have no rewards. */
  findByRound(round: bigint): Decimal | undefined {
    const last = this.#findLastClosed();
    if (last === undefined || round > last) return undefined;
    return COUNTED.reduce((total, kind) => add(total, this.#parts.rewards.amount(round, kind)), ZERO);
  }

  /** Everything that was minted in a round so far, also while it is open. */
  byKind(round: bigint): RewardSums {
    return ofEachKind((kind) => this.#parts.rewards.amount(round, kind));
  }

  reload(): void {
    this.#sums.length = 1;
  }

  /** The last round such that no round up to it is open, summarized or issuing. */
  #findLastClosed(): bigint | undefined {
    const { contracts, findFirstRound } = this.#parts;
    const first = findFirstRound();
    const live = ROUND_TEMPLATES.flatMap((template) => contracts.findLowestRound(template) ?? []);
    if (first === undefined || live.length === 0) return undefined;
    const last = live.reduce((least, round) => (round < least ? round : least)) - 1n;
    return last < first ? undefined : last;
  }
}

function ofEachKind(amountOf: (kind: RewardKind) => Decimal): RewardSums {
  const amounts = REWARD_KINDS.map((kind) => [kind, amountOf(kind)] as const);
  return Object.fromEntries(amounts) as RewardSums;
}

/** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
function add(a: Decimal, b: Decimal): Decimal {
  return (a + b) as Decimal;
}
