/**
 * Rewards that were minted, by kind and by the open round of the transfer that minted them, kept for ever. What is
 * answered are those of apps and validators, as in Splice; a round counts once it and all before it are closed. By
 * then no transfer can name it any more, so what counts never changes.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Decimal, type Outcome, type PartyId, ZERO } from "@callsign/ledger";
import type { CurrentContracts } from "../contracts/current-contracts.ts";
import { ROUND_TEMPLATES } from "../contracts/current-templates.ts";
import { listMintedRewards, REWARD_KINDS, type RewardKind } from "./minted-rewards.ts";
import type { OpenedRounds } from "./opened-rounds.ts";

/** Amounts are whole numbers of 10⁻¹⁰, as text: they may have more digits than SQLite's integers. */
export const REWARD_TABLES = `
  create table if not exists minted_reward (
    round integer not null,
    kind text not null,
    amount text not null,
    primary key (round, kind)
  ) strict, without rowid;
`;

const COUNTED: readonly RewardKind[] = ["app", "validator"];

export class CollectedRewards {
  readonly #contracts: CurrentContracts;
  readonly #opened: OpenedRounds;
  readonly #find: StatementSync;
  readonly #save: StatementSync;
  readonly #between: StatementSync;
  /** The total up to a round, so that only later rounds have to be added. */
  #known: { readonly last: bigint; readonly total: Decimal } | null = null;

  constructor(database: DatabaseSync, contracts: CurrentContracts, opened: OpenedRounds) {
    this.#contracts = contracts;
    this.#opened = opened;
    this.#find = database.prepare("select amount from minted_reward where round = ? and kind = ?");
    this.#save = database.prepare("insert or replace into minted_reward values (?, ?, ?)");
    this.#between = database.prepare("select kind, amount from minted_reward where round > ? and round <= ?");
  }

  absorb(outcome: Outcome, dso: PartyId): void {
    for (const { round, kind, amount } of listMintedRewards(outcome, dso)) {
      this.#save.run(round, kind, `${add(this.#amount(round, kind), amount)}`);
    }
  }

  /** Of apps and validators, over all rounds that count; zero if none does. */
  total(): Decimal {
    const last = this.#findLastClosed();
    if (last === undefined) return ZERO;
    const { last: from, total: before } = this.#known ?? { last: -1n, total: ZERO };
    let total = before;
    for (const row of last > from ? this.#between.iterate(from, last) : []) {
      if (COUNTED.includes(row["kind"] as RewardKind)) total = add(total, readAmount(row["amount"]));
    }
    this.#known = { last, total };
    return total;
  }

  /** Of one round; undefined if it does not count yet. Rounds before the network's first have no rewards. */
  findByRound(round: bigint): Decimal | undefined {
    const last = this.#findLastClosed();
    if (last === undefined || round > last) return undefined;
    return COUNTED.reduce((total, kind) => add(total, this.#amount(round, kind)), ZERO);
  }

  /** Everything that was minted in a round so far, also while it is open. */
  byKind(round: bigint): Readonly<Record<RewardKind, Decimal>> {
    const amounts = REWARD_KINDS.map((kind) => [kind, this.#amount(round, kind)] as const);
    return Object.fromEntries(amounts) as Record<RewardKind, Decimal>;
  }

  reload(): void {
    this.#known = null;
  }

  #amount(round: bigint, kind: RewardKind): Decimal {
    return readAmount(this.#find.get(round, kind)?.["amount"] ?? "0");
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

function readAmount(text: unknown): Decimal {
  return BigInt(text as string) as Decimal;
}

/** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
function add(a: Decimal, b: Decimal): Decimal {
  return (a + b) as Decimal;
}
