/**
 * Minted rewards, by kind and by the open round of the transfer that minted them, kept for ever. Answers count the rewards
 * of apps and validators, as in Splice. A round counts once it and all rounds before it are closed: no transfer can name
 * it any more, so the sum never changes.
 */
import { type Decimal, ZERO } from "@callsign/ledger";
import type { ContractReader } from "../contracts/contract-reader.ts";
import { ROUND_TEMPLATES } from "../contracts/current-templates.ts";
import { type MintedReward, REWARD_KINDS, type RewardKind } from "./minted-rewards.ts";

/** Amounts of all transfers so far. */
export interface RewardReader {
  readonly amount: (round: bigint, kind: RewardKind) => Decimal;
  /** Of the rounds after one and up to the last. */
  readonly list: (rounds: { readonly after: bigint; readonly last: bigint }) => readonly MintedReward[];
}

const COUNTED: readonly RewardKind[] = ["app", "validator"];

interface CollectedRewardsParts {
  readonly rewards: RewardReader;
  readonly contracts: ContractReader;
  /** The network's first round. */
  readonly findFirstRound: () => bigint | undefined;
}

export class CollectedRewards {
  readonly #parts: CollectedRewardsParts;
  /** The total up to a round, so that only later rounds have to be added. */
  #known: { readonly last: bigint; readonly total: Decimal } | null = null;

  constructor(parts: CollectedRewardsParts) {
    this.#parts = parts;
  }

  /** Of apps and validators, over all rounds that count; zero if none does. */
  total(): Decimal {
    const last = this.#findLastClosed();
    if (last === undefined) return ZERO;
    const { last: from, total: before } = this.#known ?? { last: -1n, total: ZERO };
    let total = before;
    for (const { kind, amount } of last > from ? this.#parts.rewards.list({ after: from, last }) : []) {
      if (COUNTED.includes(kind)) total = add(total, amount);
    }
    this.#known = { last, total };
    return total;
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
  byKind(round: bigint): Readonly<Record<RewardKind, Decimal>> {
    const amounts = REWARD_KINDS.map((kind) => [kind, this.#parts.rewards.amount(round, kind)] as const);
    return Object.fromEntries(amounts) as Record<RewardKind, Decimal>;
  }

  reload(): void {
    this.#known = null;
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

/** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
function add(a: Decimal, b: Decimal): Decimal {
  return (a + b) as Decimal;
}
