/**
 * Makes a replica's database from a snapshot, whose proof is checked before. The database is filled beside the one that it
 * replaces, and takes its place when it is whole: a process that was stopped begins anew.
 */
import type { Hash } from "@callsign/ledger";
import { type DatabaseOptions, type Host, inTransaction, nextTurn, removeDatabase } from "@callsign/node";
import { CheckedRows } from "../replica/checked-rows.ts";
import type { ReplicaConsumer } from "../replica/consumer.ts";
import { ReplicaConsumers } from "../replica/consumers.ts";
import { dayOf } from "../replica/days.ts";
import { addToSum } from "../replica/row-check.ts";
import type { SummedDatabase } from "../replica/row-sums.ts";
import { SqliteState } from "../replica/sqlite-state.ts";
import type { SnapshotSource } from "./snapshot-file.ts";
import { readPart } from "./snapshot-parts.ts";
import { historyKind, type SnapshotKind, stateKinds } from "./snapshot-rows.ts";

export interface LoadingParts {
  readonly source: SnapshotSource;
  /** The replica's database, which is replaced. It is closed. */
  readonly path: string;
  readonly options: DatabaseOptions;
  /** The replica's consumers over a state. */
  readonly openConsumers: (state: SqliteState) => readonly ReplicaConsumer[];
  readonly hash: Hash;
  readonly host: Pick<Host, "files" | "timers">;
}

export async function loadSnapshot(parts: LoadingParts): Promise<void> {
  const { path, options, openConsumers, host } = parts;
  const loading = `${path}.loading`;
  removeDatabase(loading, host);
  const database = host.files.openDatabase(loading, { ...options, synced: false });
  try {
    const state = new SqliteState(database);
    let contracts = 0;
    await addRows(parts, state, stateKinds(), (name, [id]) => {
      if (name === "contract") contracts = addToSum(contracts, id as string);
    });
    const { sequence, entryHash, digest, recordTime } = parts.source.manifest.head;
    inTransaction(database, () => {
      new CheckedRows(database, "head").save(1, sequence, entryHash, digest, recordTime, contracts);
      new CheckedRows(database, "day").save(dayOf(recordTime), sequence);
    });
    state.reload();
    const consumers = openConsumers(state);
    // Derives their rows from the contracts.
    new ReplicaConsumers(state, consumers);
    const history = consumers.flatMap(({ historyTables = [] }) => historyTables.map(historyKind));
    await addRows(parts, state, history);
  } finally {
    database.close();
  }
  removeDatabase(path, host);
  host.files.move(loading, path);
}

/** Adds the rows of these kinds; rows of other kinds are left. */
async function addRows(
  { source, hash, host }: LoadingParts,
  state: SummedDatabase,
  kinds: readonly SnapshotKind[],
  watch: (name: string, row: readonly unknown[]) => void = () => undefined,
): Promise<void> {
  const adders = new Map(kinds.map(({ name, adder }) => [name, adder(state)]));
  for (const [number, expected] of source.manifest.parts.entries()) {
    const part = await source.part(number);
    if (hash(part) !== expected) throw new Error(`part ${number} of the snapshot is not what its hash says`);
    inTransaction(state.database, () => {
      for (const [name, row] of readPart(part)) {
        adders.get(name)?.(row);
        watch(name, row);
      }
      state.sums.save();
    });
    await nextTurn(host.timers);
  }
}
