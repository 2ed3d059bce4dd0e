/**
 * Coin at snapshots. A coin's row has the record times of its creation and of its end. With the first entry behind the time
 * of a snapshot, the snapshot is recorded, with the sum of all coin: it shows the coins that were created at or before it
 * and ended after it. A coin that no snapshot shows is deleted when it ends, all others once their last snapshot is. Rows wait
 * for the end of a transaction or for a reader, so that a coin which is made and spent before has none.
 *
 * An index that was backfilled has no snapshots of the time before.
 */
import { Amulet, type Decimal, LockedAmulet, type PartyId, type Time } from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  KeyedRows,
  type ReplicaChange,
  type Row,
  type SqliteState,
} from "@callsign/synchronizer";
import type { Holding } from "../holdings/holdings-summary.ts";
import { snapshotBefore } from "../holdings/snapshot-time.ts";
import { REMEMBERED_COINS, SNAPSHOTS_KEPT_MICROSECONDS } from "../limits/limits.ts";
import { type EndedTable, openEndedRows } from "./ended-rows.ts";

/** Coins that have not ended have the largest integer as their end. Amounts are whole numbers of 10⁻¹⁰, as text. */
export const HOLDING_TABLES = `
  create table holding (
    contract_id text primary key,
    owner text not null,
    locked integer not null,
    amount text not null,
    round integer not null,
    rate text not null,
    created integer not null,
    ended integer not null
  ) strict, without rowid;
  create index holding_owner on holding (owner, ended, created);
  create index holding_ended on holding (ended);
  create table holding_snapshot (record_time integer primary key, supply text not null) strict;
  create table holding_supply (
    one integer primary key check (one = 1),
    supply text not null,
    complete_from integer not null
  ) strict;
`;

export const HOLDINGS = {
  table: "holding",
  columns: ["contract_id", "owner", "locked", "amount", "round", "rate", "created", "ended"],
} as const satisfies CheckedTable;

export const HOLDING_SNAPSHOTS = {
  table: "holding_snapshot",
  columns: ["record_time", "supply"],
} as const satisfies CheckedTable;

export const HOLDING_SUPPLY = {
  table: "holding_supply",
  columns: ["one", "supply", "complete_from"],
} as const satisfies CheckedTable;

const NOT_ENDED = 2n ** 63n - 1n;

/** Most coins have not ended: the index leaves them out. */
const ENDED_COINS = {
  table: "holding",
  key: "contract_id",
  isEnded: `ended < ${NOT_ENDED}`,
} as const satisfies EndedTable;

export const ENDED_COINS_INDEX = `
  drop index holding_ended;
  create index holding_ended on holding (ended) where ${ENDED_COINS.isEnded};
`;

export interface Snapshot {
  readonly recordTime: Time;
  /** Of all coin, locked or not. */
  readonly supply: bigint;
}

interface Position {
  supply: bigint;
  /** The rows have every coin of this record time and later. */
  readonly completeFrom: bigint;
  lastSnapshot: bigint;
}

export function openHoldingRows(state: SqliteState) {
  const { database, sums } = state;
  const coins = new CheckedRows(database, HOLDINGS, sums);
  const snapshots = new CheckedRows(database, HOLDING_SNAPSHOTS, sums);
  const supplies = new CheckedRows(database, HOLDING_SUPPLY, sums);
  const remove = coins.deletion("where contract_id = ?");
  const changed = new KeyedRows<Row>({
    read: (contractId) => coins.find(contractId),
    write: (_, row) => coins.write(row),
    remove,
    remembered: REMEMBERED_COINS,
  });
  const readLast = database.prepare("select max(record_time) as last from holding_snapshot");
  const forgetSnapshots = snapshots.deletion("where record_time < ?");
  const ended = openEndedRows(state, { ...ENDED_COINS, rows: coins, save: () => changed.save() });
  let memory: Position | null = null;

  function positionAt(now: Time): Position {
    if (memory !== null) return memory;
    const row = supplies.find(1);
    memory = {
      supply: BigInt((row?.["supply"] ?? "0") as string),
      completeFrom: (row?.["complete_from"] ?? now) as bigint,
      lastSnapshot: (readLast.get()?.["last"] ?? -(2n ** 63n)) as bigint,
    };
    if (row === undefined) supplies.insert(1, "0", memory.completeFrom);
    return memory;
  }

  function takeSnapshot(position: Position, now: Time): void {
    const time = snapshotBefore(now);
    if (time <= position.lastSnapshot || time < position.completeFrom) return;
    snapshots.insert(time, `${position.supply}`);
    position.lastSnapshot = time;
    forgetSnapshots(time - SNAPSHOTS_KEPT_MICROSECONDS);
  }

  /** Removes or ends coins, and returns their sum. */
  function endCoins({ archived }: ReplicaChange, now: Time): bigint {
    let sum = 0n;
    let count = 0;
    const snapshot = snapshotBefore(now);
    for (const { templateId, contractId } of archived) {
      if (templateId !== Amulet.id && templateId !== LockedAmulet.id) continue;
      const row = changed.find(contractId);
      if (row === undefined) continue;
      if ((row["created"] as bigint) > snapshot) changed.remove(contractId);
      else {
        changed.set(contractId, { ...row, ended: now });
        ended.note(now);
      }
      sum += BigInt(row["amount"] as string);
      count++;
    }
    // Twice as many as can have been added, so that old coins do not pile up.
    if (count > 0) ended.forget(now - SNAPSHOTS_KEPT_MICROSECONDS, 2 * count);
    return sum;
  }

  function addCoins({ created }: ReplicaChange, dso: PartyId, now: Time): bigint {
    let sum = 0n;
    for (const { contract, value } of created) {
      const coin = findCoin(contract.templateId, value);
      if (coin === null || coin.amulet.dso !== dso) continue;
      const { owner, amount } = coin.amulet;
      const { initialAmount, createdAt, ratePerRound } = amount;
      changed.set(contract.contractId, {
        contract_id: contract.contractId,
        owner,
        locked: coin.isLocked ? 1n : 0n,
        amount: `${initialAmount}`,
        round: createdAt.number,
        rate: `${ratePerRound.rate}`,
        created: now,
        ended: NOT_ENDED,
      });
      sum += initialAmount;
    }
    return sum;
  }

  return {
    ...openHoldingReader(state, coins, snapshots),
    /** Anybody may create coin that names a DSO of their own. */
    absorb: (change: ReplicaChange, { dso, now }: { readonly dso: PartyId; readonly now: Time }) => {
      const position = positionAt(now);
      if (change.outcome !== null) takeSnapshot(position, now);
      const supply = position.supply - endCoins(change, now) + addCoins(change, dso, now);
      if (supply === position.supply) return;
      position.supply = supply;
      supplies.save(1, `${supply}`, position.completeFrom);
    },
    save: (isOver?: () => boolean) => changed.save(isOver),
    reload: () => {
      memory = null;
      changed.reload();
      ended.reload();
    },
  };
}

function openHoldingReader(state: SqliteState, coins: CheckedRows, snapshots: CheckedRows) {
  const before = snapshots.query("where record_time <= ? order by record_time desc limit 1");
  const after = snapshots.query("where record_time > ? order by record_time limit 1");
  const ofOwner = coins.query("where owner = ? and ended > ? and created <= ? limit +?");
  const idsOfOwner = state.database.prepare(
    "select contract_id from holding where owner = ? and ended > ? and created <= ? limit +?",
  );
  return {
    /** The ids of the coins of owners, in no order. */
    listIdsAt: (snapshot: Time, owners: readonly string[], limit: number): readonly string[] => {
      const ids: string[] = [];
      state.flush();
      for (const owner of owners) {
        const rows = idsOfOwner.all(owner, snapshot, snapshot, limit - ids.length);
        ids.push(...rows.map((row) => row["contract_id"] as string));
      }
      return ids;
    },
    findSnapshotAtOrBefore: (time: Time) => readSnapshot(before.get(time)),
    findSnapshotAfter: (time: Time) => readSnapshot(after.get(time)),
    listAt: (snapshot: Time, owner: string, limit: number): readonly Holding[] => {
      state.flush();
      return ofOwner.all(owner, snapshot, snapshot, limit).map((row) => ({
        isLocked: row["locked"] === 1n,
        amount: BigInt(row["amount"] as string) as Decimal,
        round: row["round"] as bigint,
        ratePerRound: BigInt(row["rate"] as string) as Decimal,
      }));
    },
  };
}

function findCoin(
  templateId: string,
  value: unknown,
): { readonly isLocked: boolean; readonly amulet: Amulet } | null {
  if (templateId === Amulet.id) return { isLocked: false, amulet: value as Amulet };
  if (templateId === LockedAmulet.id) return { isLocked: true, amulet: (value as LockedAmulet).amulet };
  return null;
}

function readSnapshot(row: Row | undefined): Snapshot | undefined {
  if (row === undefined) return undefined;
  return { recordTime: row["record_time"] as Time, supply: BigInt(row["supply"] as string) };
}
