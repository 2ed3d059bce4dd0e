import type { Decimal, PartyId } from "@callsign/ledger";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { beforeEach, expect, test } from "vitest";
import { RoundTotals } from "../rounds/round-totals.ts";
import { openPartyRoundRows } from "./party-round-rows.ts";
import { scanMigrations } from "./scan-migrations.ts";

const [alice, bob, carol] = ["alice::1220", "bob::1220", "carol::1220"] as PartyId[] as [
  PartyId,
  PartyId,
  PartyId,
];
let rows: ReturnType<typeof openPartyRoundRows>;

beforeEach(() => {
  const state = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(state.database, scanMigrations);
  rows = openPartyRoundRows(state);
  return () => state.database.close();
});

function mint(party: PartyId, round: bigint, amount: bigint): void {
  rows.add({ party, round, rewards: [{ round, kind: "app", amount: amount as Decimal }], traffic: null });
}

function buy(party: PartyId, round: bigint): void {
  rows.add({ party, round, rewards: [], traffic: { bytes: 10n, paid: 3n as Decimal } });
}

/** Minted in the round, and up to it. */
const minted = (party: PartyId, round: bigint) =>
  rows.listOfRound(round, 10).flatMap((row) => (row.party === party ? [row.sums.app, row.totals.app] : []));

function leaders(last: bigint, limit = 10): readonly PartyId[] {
  const unused = undefined as never;
  return new RoundTotals(unused, unused, rows).listLeaders(last, "app", limit).map(({ party }) => party);
}

test("what is minted in a round that is still open counts in the party's later rounds, and in nobody else's", () => {
  mint(alice, 3n, 5n);
  mint(alice, 5n, 7n);
  mint(bob, 5n, 1n);
  mint(alice, 4n, 100n);
  mint(alice, 3n, 1000n);
  expect([3n, 4n, 5n].map((round) => minted(alice, round))).toEqual([
    [1005n, 1005n],
    [100n, 1105n],
    [7n, 1112n],
  ]);
  expect(minted(bob, 5n)).toEqual([1n, 1n]);
});

test("leaders stand by their sums up to the round; of equal ones the higher party is first", () => {
  mint(alice, 1n, 5n);
  mint(bob, 1n, 5n);
  mint(carol, 1n, 9n);
  mint(alice, 2n, 1n);
  expect(leaders(1n)).toEqual([carol, bob, alice]);
  expect(leaders(2n)).toEqual([carol, alice, bob]);
  expect(leaders(2n, 2)).toEqual([carol, alice]);
});

test("who minted nothing is no leader; the last purchase is one up to the round", () => {
  buy(alice, 1n);
  buy(alice, 3n);
  mint(alice, 4n, 2n);
  expect(leaders(3n)).toEqual([]);
  expect([0n, 2n, 3n, 4n].map((round) => rows.findLastPurchase(alice, round))).toEqual([
    undefined,
    1n,
    3n,
    3n,
  ]);
});
