/**
 * Fees of every round that was ever opened, taken from the creation of its OpenMiningRound and kept for ever: rounds are
 * archived after half an hour, and asked for years later.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
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
import type { ReplicaChange } from "@callsign/synchronizer";
import { type AmuletConfigOfRound, amuletConfigOf } from "../rounds/amulet-config-of-round.ts";

export const ROUND_TABLES = `
  create table if not exists opened_round (
    number integer primary key,
    opens_at integer not null,
    amulet_price text not null,
    transfer_config text not null
  ) strict;
`;

export function openRoundRows(database: DatabaseSync) {
  const insert = database.prepare("insert or replace into opened_round values (?, ?, ?, ?)");
  const columns = "select amulet_price, transfer_config from opened_round";
  const byNumber = database.prepare(`${columns} where number = ?`);
  const latest = database.prepare(`${columns} where opens_at <= ? order by number desc limit 1`);
  const first = database.prepare("select min(number) as number from opened_round");
  const all = database.prepare("select * from opened_round order by number");
  const add = ({ number, opensAt, amuletPrice, transferConfig }: OpenedRound) => {
    insert.run(number, opensAt, `${amuletPrice}`, TransferConfig.encode(transferConfig));
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
    findConfig: (round: bigint) => read(byNumber.get(round)),
    /** Of the highest round whose time to open has come. */
    findLatestConfig: (now: Time) => read(latest.get(now)),
    /** The network's first round. */
    findFirst: () => (first.get()?.["number"] ?? undefined) as bigint | undefined,
    listAll: function* (): Generator<OpenedRound> {
      for (const row of all.iterate())
        yield {
          number: row["number"] as bigint,
          opensAt: row["opens_at"] as Time,
          amuletPrice: BigInt(row["amulet_price"] as string) as Decimal,
          transferConfig: decodeText(TransferConfig, row["transfer_config"] as string),
        };
    },
  };
}

function read(row: Record<string, SQLOutputValue> | undefined): AmuletConfigOfRound | undefined {
  if (row === undefined) return undefined;
  const price = BigInt(row["amulet_price"] as string) as Decimal;
  return amuletConfigOf(decodeText(TransferConfig, row["transfer_config"] as string), price);
}
