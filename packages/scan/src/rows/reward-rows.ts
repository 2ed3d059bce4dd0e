/** Amounts of minted rewards, by round and kind. */
import type { Decimal, RewardTotal } from "@callsign/ledger";
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";
import type { RewardReader } from "../rounds/collected-rewards.ts";
import type { MintedReward, RewardKind } from "../rounds/counted-transfers.ts";

/** Amounts are whole numbers of 10⁻¹⁰, as text: they may have more digits than SQLite's integers. */
export const REWARD_TABLES = `
  create table if not exists minted_reward (
    round integer not null,
    kind text not null,
    amount text not null,
    primary key (round, kind)
  ) strict, without rowid;
`;

export const REWARDS = {
  table: "minted_reward",
  columns: ["round", "kind", "amount"],
  key: ["round", "kind"],
} as const satisfies CheckedTable;

export function openRewardRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, REWARDS, sums);
  const between = rows.query("where round > ? and round <= ?");
  const amountOf = (row: ReturnType<typeof rows.find>) => BigInt((row?.["amount"] ?? "0") as string);
  const reader: RewardReader = {
    amount: (round, kind) => amountOf(rows.find(round, kind)) as Decimal,
    list: ({ after, last }) =>
      between.all(after, last).map((row) => ({
        round: row["round"] as bigint,
        kind: row["kind"] as RewardKind,
        amount: BigInt(row["amount"] as string) as Decimal,
      })),
  };
  /** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
  const add = ({ round, kind, amount }: MintedReward) => {
    const former = rows.find(round, kind);
    rows.replace(former, round, kind, `${amountOf(former) + amount}`);
  };
  const listAll = function* (): Generator<RewardTotal> {
    for (const row of rows.list("order by round, kind"))
      yield {
        round: row["round"] as bigint,
        kind: row["kind"] as string,
        units: row["amount"] as string,
      };
  };
  return { ...reader, add, listAll };
}
