/**
 * A consumer of the replica keeps rows of its own about the log's entries, written in the replica's transaction: rows
 * and replica always stand at the same entry, and the replica's `head` is the position of both.
 *
 * A consumer declares the kinds of contracts it keeps. A replica whose database is older than the declaration hands it
 * the active contracts of each new kind once, before the first entry (backfill).
 */
import type { DatabaseSync } from "node:sqlite";
import type { Contract, ContractId, Outcome, PartyId } from "@callsign/ledger";
import type { CheckedTable } from "./row-check.ts";
import type { SqliteState, WaitingRows } from "./sqlite-state.ts";

export interface CreatedContract {
  readonly contract: Contract;
  /** The decoded payload. */
  readonly value: unknown;
  readonly signatories: readonly PartyId[];
  /** Orders contracts by creation, over all of the log. Backfilled contracts have places below zero. */
  readonly place: bigint;
}

export interface ArchivedContract {
  readonly templateId: string;
  readonly contractId: ContractId;
}

export interface ReplicaChange {
  /** Of the declared kinds, in the order of the log; in a backfill kind by kind, as declared. */
  readonly created: readonly CreatedContract[];
  readonly archived: readonly ArchivedContract[];
  /** Null in a backfill. */
  readonly outcome: Outcome | null;
}

/** A table whose rows follow from active contracts, one row a contract. A scrub derives them again. */
export interface DerivedTable {
  readonly table: string;
  /** The SQL of the contract's id; the column `contract_id` if omitted. */
  readonly contractId?: string;
  /** The columns by which a contract's row is found. They have an index. */
  readonly key: readonly string[];
  /** The columns, or expressions of them, that follow from the contract. */
  readonly columns: readonly string[];
  /** Columns that follow from other rows as well: compared where the contract alone gives a value. */
  readonly columnsIfKnown?: readonly string[];
  /** True if a contract may lack its row. */
  readonly optional?: boolean;
  /** The column that rows are walked by, to find those without a contract; not walked if omitted. */
  readonly walk?: { readonly by: string; readonly only?: string };
}

/** A table that does not follow from active contracts, and is the same in every replica: a snapshot has its rows. */
export interface HistoryTable {
  readonly table: string;
  readonly columns: CheckedTable["columns"];
  /** Columns that order the rows, the same in every replica. */
  readonly order: readonly string[];
  /** Lists rows in the place of the table's own, in that order. */
  readonly list?: (database: DatabaseSync) => Iterable<readonly (string | bigint | null)[]>;
  /** The condition for rows that are history; all are if omitted. */
  readonly where?: string;
  /** The columns of the primary key, of a table whose rows have checks; the first one if omitted. */
  readonly key?: readonly string[];
  /** True if the rows have checks. */
  readonly isChecked?: boolean;
}

export interface ReplicaConsumer extends WaitingRows {
  /** Names it in the record of the kinds it has: it stays the same in every release. */
  readonly name: string;
  readonly kinds: readonly { readonly id: string }[];
  readonly derived?: readonly DerivedTable[];
  /** The tables whose rows have checks, and sums in the state's. */
  readonly checkedTables?: readonly CheckedTable[];
  readonly historyTables?: readonly HistoryTable[];
  /**
   * True if `absorb` needs nothing of the state but the network and the hosts of parties. Then it is called behind the transitions of a
   * slice, which takes less time (decision 0068): head and contracts of the state may be those of later entries. False if omitted.
   */
  readonly absorbsBySlice?: boolean;
  /** The state is the one after the change. */
  readonly absorb: (change: ReplicaChange, state: SqliteState) => void;
  /** Drops what is only in memory, after a page that was rolled back. */
  readonly reload: () => void;
}

/** More than a transaction can have nodes. */
const PLACES = 2n ** 14n;

/** By the log entry first, then by the place within it. */
export function creationPlace(sequence: number, nodeId: number): bigint {
  return BigInt(sequence) * PLACES + BigInt(nodeId);
}
