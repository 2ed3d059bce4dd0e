/**
 * Rounds that the index has seen from their opening on, and when they closed. An index that is older than this table, or whose
 * network went on from another, begins with the next round that opens.
 */
import {
  ClosedMiningRound,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  type Time,
} from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  type ReplicaChange,
  type SummedDatabase,
} from "@callsign/synchronizer";
import type { SeenRounds } from "../rounds/seen-rounds.ts";

export const SEEN_ROUND_TABLE = `
  create table seen_round (
    number integer primary key,
    closed_at integer
  ) strict;
`;

export const SEEN_ROUNDS = {
  table: "seen_round",
  columns: ["number", "closed_at"],
} as const satisfies CheckedTable;

export function openSeenRoundRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, SEEN_ROUNDS, sums);
  const first = database.prepare("select min(number) as number from seen_round");
  /** The round that was found last: most transfers are of the same one, and no row goes. */
  let found: bigint | null = null;
  const has = (round: bigint) => {
    if (round === found) return true;
    if (rows.find(round) === undefined) return false;
    found = round;
    return true;
  };
  const reader: SeenRounds = {
    has,
    findFirst: () => (first.get()?.["number"] ?? undefined) as bigint | undefined,
    findEnd: (round) => (rows.find(round)?.["closed_at"] ?? undefined) as Time | undefined,
  };
  return {
    ...reader,
    absorb: ({ created, outcome }: ReplicaChange, dso: PartyId) => {
      // In a backfill they come with the snapshot, and rounds that a network took over were not seen from their opening on.
      if (outcome === null || outcome.imported !== null) return;
      for (const { contract, value } of created) {
        const isOpening = contract.templateId === OpenMiningRound.id;
        if (!isOpening && contract.templateId !== ClosedMiningRound.id) continue;
        const { round, dso: owner } = value as PayloadOf<typeof OpenMiningRound | typeof ClosedMiningRound>;
        if (owner !== dso) continue;
        if (isOpening && !has(round.number)) rows.insert(round.number, null);
        if (!isOpening && has(round.number)) rows.save(round.number, contract.createdAt);
      }
    },
    reload: () => {
      found = null;
    },
  };
}
