/** Rewards that a party minted and traffic that it bought in a round, with its sums up to that round. */
import type { PartyId } from "@callsign/ledger";
import { rememberLast } from "@callsign/node";
import { CheckedRows, type CheckedTable, type Row, type SummedDatabase } from "@callsign/synchronizer";
import type { CountedTransfer } from "../rounds/counted-transfers.ts";
import {
  isNothing,
  type PartySums,
  type PartyTotals,
  type PartyTotalsReader,
  SUMMED,
  sumsOf,
} from "../rounds/party-totals.ts";

/** Amounts are whole numbers of 10⁻¹⁰; they and bytes are texts, which have no bound. */
export const PARTY_ROUND_TABLE = `
  create table party_round (
    party text not null,
    round integer not null,
    ${SUMMED.map((column) => `${column} text not null, ${column}_total text not null`).join(",\n    ")},
    primary key (party, round)
  ) strict, without rowid;
  create index party_round_round on party_round (round, party);
`;

export const PARTY_ROUNDS = {
  table: "party_round",
  columns: ["party", "round", ...SUMMED, ...SUMMED.map((column) => `${column}_total` as const)],
  key: ["party", "round"],
} as const satisfies CheckedTable;

export function openPartyRoundRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, PARTY_ROUNDS, sums);
  const before = rows.query("where party = ? and round < ? order by round desc limit 1");
  const behind = rows.query("where party = ? and round > ?");

  function save(former: Row | undefined, { party, round, sums: own, totals }: PartyTotals): void {
    const texts = [own, totals].flatMap((each) => SUMMED.map((column) => `${each[column]}`));
    rows.replace(former, party, round, ...texts);
  }

  return {
    ...openPartyTotalsReader(rows),
    /** Several rounds are open at once, so that the party may have rows of later rounds. */
    add: (transfer: CountedTransfer): void => {
      const { party, round } = transfer;
      const added = sumsOf(transfer);
      if (isNothing(added)) return;
      const own = rows.find(party, round);
      const totals = totalsOf(own ?? before.get(party, round));
      save(own, { party, round, sums: plus(amountsOf(own), added), totals: plus(totals, added) });
      for (const row of behind.all(party, round))
        save(row, { ...read(row), totals: plus(totalsOf(row), added) });
    },
  };
}

function openPartyTotalsReader(rows: CheckedRows): PartyTotalsReader {
  const ofRound = rows.query("where round = ? order by party limit +?");
  /** Each party's last row up to a round, by a walk from party to party. */
  const latest = rows.query(`
    where (party, round) in (
      with recursive known (party) as (
        select min(party) from party_round
        union all
        select (select min(party) from party_round where party > known.party) from known where party is not null
      )
      select party, (select max(round) from party_round where party = known.party and round <= ?)
      from known where party is not null
    )
  `);
  const lastPurchase = rows.query(
    "where party = ? and round <= ? and purchases <> '0' order by round desc limit 1",
  );
  return {
    listOfRound: (round, limit) => ofRound.all(round, limit).map(read),
    listLatest: rememberLast((round) => latest.all(round).map(read)),
    findLastPurchase: (party, round) => lastPurchase.get(party, round)?.["round"] as bigint | undefined,
  };
}

function read(row: Row): PartyTotals {
  return {
    party: row["party"] as PartyId,
    round: row["round"] as bigint,
    sums: amountsOf(row),
    totals: totalsOf(row),
  };
}

function amountsOf(row: Row | undefined): PartySums {
  return ofEach((column) => BigInt((row?.[column] ?? "0") as string));
}

function totalsOf(row: Row | undefined): PartySums {
  return ofEach((column) => BigInt((row?.[`${column}_total`] ?? "0") as string));
}

/** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
function plus(a: PartySums, b: PartySums): PartySums {
  return ofEach((column) => a[column] + b[column]);
}

function ofEach(amountOf: (column: (typeof SUMMED)[number]) => bigint): PartySums {
  return Object.fromEntries(SUMMED.map((column) => [column, amountOf(column)])) as unknown as PartySums;
}
