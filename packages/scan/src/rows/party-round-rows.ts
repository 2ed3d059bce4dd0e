/**
 * What each party minted and paid for traffic in each round, with its sums up to that round, and when rounds closed. Rows
 * follow from the log: an index that is older than these tables, or whose network went on from another, begins with the next
 * round that opens.
 */
import {
  ClosedMiningRound,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  type Time,
} from "@callsign/ledger";
import { rememberLast } from "@callsign/node";
import {
  CheckedRows,
  type CheckedTable,
  type ReplicaChange,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import type { CountedTransfer } from "../rounds/counted-transfers.ts";
import {
  isNothing,
  type PartySums,
  type PartyTotals,
  SUMMED,
  sumsOf,
  type TotalsReader,
} from "../rounds/party-totals.ts";

/** Amounts are whole numbers of 10⁻¹⁰; they and bytes are texts, which have no bound. */
export const PARTY_ROUND_TABLES = `
  create table seen_round (
    number integer primary key,
    closed_at integer
  ) strict;
  create table party_round (
    party text not null,
    round integer not null,
    ${SUMMED.map((column) => `${column} text not null, ${column}_total text not null`).join(",\n    ")},
    primary key (party, round)
  ) strict, without rowid;
  create index party_round_round on party_round (round, party);
`;

export const SEEN_ROUNDS = {
  table: "seen_round",
  columns: ["number", "closed_at"],
} as const satisfies CheckedTable;

export const PARTY_ROUNDS = {
  table: "party_round",
  columns: ["party", "round", ...SUMMED, ...SUMMED.map((column) => `${column}_total` as const)],
  key: ["party", "round"],
} as const satisfies CheckedTable;

export function openPartyRoundRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, PARTY_ROUNDS, sums);
  const seen = new CheckedRows(database, SEEN_ROUNDS, sums);
  const before = rows.query("where party = ? and round < ? order by round desc limit 1");
  const from = rows.query("where party = ? and round >= ? order by round");

  /** Several rounds are open at once, so that a party may have rows of later rounds. */
  function add({ party, round }: CountedTransfer, added: PartySums): void {
    const [own, ...later] = from.all(party, round);
    if (own === undefined || own["round"] !== round) {
      const former = before.get(party, round);
      save(undefined, { party, round, sums: added, totals: plus(totalsOf(former), added) });
      if (own !== undefined) later.unshift(own);
    } else {
      save(own, { party, round, sums: plus(amountsOf(own), added), totals: plus(totalsOf(own), added) });
    }
    for (const row of later) save(row, { ...read(row), totals: plus(totalsOf(row), added) });
  }

  function save(former: Row | undefined, { party, round, sums: own, totals }: PartyTotals): void {
    const texts = [own, totals].flatMap((each) => SUMMED.map((column) => `${each[column]}`));
    rows.replace(former, party, round, ...texts);
  }

  return {
    ...openTotalsReader({ database, sums }, rows, seen),
    absorb: ({ created, outcome }: ReplicaChange, dso: PartyId, transfers: readonly CountedTransfer[]) => {
      // In a backfill history comes with the snapshot, and rounds that a network took over were not seen from their beginning.
      if (outcome === null || outcome.imported !== null) return;
      for (const { contract, value } of created) {
        if (contract.templateId !== OpenMiningRound.id && contract.templateId !== ClosedMiningRound.id)
          continue;
        const { round, dso: owner } = value as PayloadOf<typeof OpenMiningRound | typeof ClosedMiningRound>;
        if (owner !== dso) continue;
        const isSeen = seen.find(round.number) !== undefined;
        if (contract.templateId === OpenMiningRound.id && !isSeen) seen.insert(round.number, null);
        if (contract.templateId === ClosedMiningRound.id && isSeen)
          seen.save(round.number, contract.createdAt);
      }
      for (const transfer of transfers) {
        const added = sumsOf(transfer);
        if (!isNothing(added) && seen.find(transfer.round) !== undefined) add(transfer, added);
      }
    },
  };
}

function openTotalsReader({ database }: SummedDatabase, rows: CheckedRows, seen: CheckedRows): TotalsReader {
  const firstSeen = database.prepare("select min(number) as number from seen_round");
  const between = rows.query("where round between ? and ? order by round, party limit +?");
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
    findFirst: () => (firstSeen.get()?.["number"] ?? undefined) as bigint | undefined,
    findEnd: (round) => (seen.find(round)?.["closed_at"] ?? undefined) as Time | undefined,
    list: ({ first, last, limit }) => between.all(first, last, limit).map(read),
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

function amountsOf(row: Row): PartySums {
  return pick((column) => BigInt(row[column] as string));
}

function totalsOf(row: Row | undefined): PartySums {
  return pick((column) => BigInt((row?.[`${column}_total`] ?? "0") as string));
}

/** Without the ledger's bound on amounts: a sum over many transfers must not stop the replica. */
function plus(a: PartySums, b: PartySums): PartySums {
  return pick((column) => a[column] + b[column]);
}

function pick(amountOf: (column: (typeof SUMMED)[number]) => bigint): PartySums {
  return Object.fromEntries(SUMMED.map((column) => [column, amountOf(column)])) as unknown as PartySums;
}
