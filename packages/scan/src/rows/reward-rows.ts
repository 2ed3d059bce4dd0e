/** Amounts of minted rewards, by round and kind. */
import type { DatabaseSync } from "node:sqlite";
import type { Decimal, RewardTotal } from "@callsign/ledger";
import type { RewardReader } from "../rounds/collected-rewards.ts";
import type { MintedReward, RewardKind } from "../rounds/minted-rewards.ts";

/** Amounts are whole numbers of 10⁻¹⁰, as text: they may have more digits than SQLite's integers. */
export const REWARD_TABLES = `
  create table if not exists minted_reward (
    round integer not null,
    kind text not null,
    amount text not null,
    primary key (round, kind)
  ) strict, without rowid;
`;

export function openRewardRows(database: DatabaseSync) {
  const find = database.prepare("select amount from minted_reward where round = ? and kind = ?");
  const save = database.prepare("insert or replace into minted_reward values (?, ?, ?)");
  const between = database.prepare(
    "select round, kind, amount from minted_reward where round > ? and round <= ?",
  );
  const all = database.prepare("select round, kind, amount from minted_reward order by round, kind");
  const reader: RewardReader = {
    amount: (round, kind) => BigInt((find.get(round, kind)?.["amount"] ?? "0") as string) as Decimal,
    list: ({ after, last }) =>
      between.all(after, last).map((row) => ({
        round: row["round"] as bigint,
        kind: row["kind"] as RewardKind,
        amount: BigInt(row["amount"] as string) as Decimal,
      })),
  };
  /** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
  const add = ({ round, kind, amount }: MintedReward) => {
    save.run(round, kind, `${reader.amount(round, kind) + amount}`);
  };
  const listAll = function* (): Generator<RewardTotal> {
    for (const row of all.iterate())
      yield {
        round: row["round"] as bigint,
        kind: row["kind"] as string,
        units: row["amount"] as string,
      };
  };
  return { ...reader, add, listAll };
}
