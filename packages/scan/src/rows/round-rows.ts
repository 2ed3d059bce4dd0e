/**
 * Fees of every round that was ever opened, taken from the creation of its OpenMiningRound and kept for ever: rounds are
 * archived after half an hour, and asked for years later.
 */
import {
  type Decimal,
  decodeText,
  type OpenedRound,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  type Time,
  TransferConfig,
} from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  type ReplicaChange,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { type AmuletConfigOfRound, amuletConfigOf } from "../rounds/amulet-config-of-round.ts";

export const ROUND_TABLES = `
  create table if not exists opened_round (
    number integer primary key,
    opens_at integer not null,
    amulet_price text not null,
    transfer_config text not null
  ) strict;
`;

export const OPENED_ROUNDS = {
  table: "opened_round",
  columns: ["number", "opens_at", "amulet_price", "transfer_config"],
} as const satisfies CheckedTable;

export function openRoundRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, OPENED_ROUNDS, sums);
  const latest = rows.query("where opens_at <= ? order by number desc limit 1");
  const first = database.prepare("select min(number) as number from opened_round");
  const add = ({ number, opensAt, amuletPrice, transferConfig }: OpenedRound) => {
    rows.save(number, opensAt, `${amuletPrice}`, TransferConfig.encode(transferConfig));
  };
  return {
    add,
    absorb: ({ created }: ReplicaChange, dso: PartyId) => {
      for (const { contract, value } of created) {
        if (contract.templateId !== OpenMiningRound.id) continue;
        const round = value as PayloadOf<typeof OpenMiningRound>;
        if (round.dso !== dso) continue;
        const { opensAt, amuletPrice, transferConfigUsd: transferConfig } = round;
        add({ number: round.round.number, opensAt, amuletPrice, transferConfig });
      }
    },
    /** Also of a round that is announced and not open yet. */
    findConfig: (round: bigint) => read(rows.find(round)),
    /** Of the highest round whose time to open has come. */
    findLatestConfig: (now: Time) => read(latest.get(now)),
    /** The network's first round. */
    findFirst: () => (first.get()?.["number"] ?? undefined) as bigint | undefined,
    listAll: function* (): Generator<OpenedRound> {
      for (const row of rows.list("order by number"))
        yield {
          number: row["number"] as bigint,
          opensAt: row["opens_at"] as Time,
          amuletPrice: BigInt(row["amulet_price"] as string) as Decimal,
          transferConfig: decodeText(TransferConfig, row["transfer_config"] as string),
        };
    },
  };
}

function read(row: Row | undefined): AmuletConfigOfRound | undefined {
  if (row === undefined) return undefined;
  const price = BigInt(row["amulet_price"] as string) as Decimal;
  return amuletConfigOf(decodeText(TransferConfig, row["transfer_config"] as string), price);
}
