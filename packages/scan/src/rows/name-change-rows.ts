/**
 * The changes of every name, kept for ever, and what each day adds up to. Both follow from the log: an index that is older
 * than these rows begins with the entry behind its migration, and says from when on they are complete.
 */
import type { SQLInputValue } from "node:sqlite";
import type { ContractId, Decimal, Network, PartyId, Time } from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  creationPlace,
  type ReplicaChange,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { listNameChanges, type NameChange, type NameChangeKind } from "../names/name-changes.ts";
import { openBeginning } from "./beginning.ts";
import { openNameDayRows } from "./name-day-rows.ts";

/** Amounts are whole numbers of 10⁻¹⁰, as text. */
export const NAME_CHANGE_TABLES = `
  create table name_change (
    place integer primary key,
    record_time integer not null,
    kind text not null,
    name text not null,
    owner text not null,
    expires_at integer,
    usd text,
    amulet text
  ) strict;
  create index name_change_name on name_change (name, place);
  create index name_change_owner on name_change (owner, place);
  create table name_history (
    one integer primary key check (one = 1),
    complete_from integer not null,
    live integer not null
  ) strict;
`;

export const NAME_CHANGES = {
  table: "name_change",
  columns: ["place", "record_time", "kind", "name", "owner", "expires_at", "usd", "amulet"],
} as const satisfies CheckedTable;

export const NAME_HISTORY = {
  table: "name_history",
  columns: ["one", "complete_from", "live"],
} as const satisfies CheckedTable;

export interface KeptNameChange extends Omit<NameChange, "formerExpiry" | "nodeId"> {
  /** Orders changes over all of the log. */
  readonly place: bigint;
  readonly recordTime: Time;
}

export interface ChangeFilter {
  /** Null: of any name. */
  readonly name: string | null;
  /** Null: of any owner. */
  readonly owner: string | null;
  /** Changes behind this place. */
  readonly after: bigint;
  readonly limit: number;
}

export function openNameChangeRows(state: SummedDatabase) {
  const { database, sums } = state;
  const rows = new CheckedRows(database, NAME_CHANGES, sums);
  const beginning = openBeginning(state, NAME_HISTORY);
  const countLive = database.prepare("select count(*) as live from name_entry");
  const findEntry = database.prepare(
    "select name, owner, expires_at from name_entry " +
      "where contract_key = substr(?1, 3, 16) and contract_id = ?1",
  );
  const last = database.prepare("select max(place) as place from name_change");
  const days = openNameDayRows(state);

  const entryOf = (contractId: ContractId) => {
    const row = findEntry.get(contractId);
    if (row === undefined) return undefined;
    return {
      name: row["name"] as string,
      owner: row["owner"] as PartyId,
      expiresAt: row["expires_at"] as Time,
    };
  };

  return {
    /** Call before the rows of names change. */
    absorb: ({ outcome }: ReplicaChange, network: Network, now: Time) => {
      // In a backfill, history comes with the snapshot.
      if (outcome === null) return;
      // Entries from before the first change count as live, each until its expiry.
      const isFirst = beginning.ensure(() => [now, countLive.get()?.["live"] as bigint]);
      if (isFirst) days.addExpiriesOfEntries();
      for (const change of listNameChanges(outcome, network, entryOf)) {
        const { nodeId, kind, name, owner, expiresAt, usd, amulet } = change;
        const place = creationPlace(outcome.head.sequence, nodeId);
        rows.save(place, now, kind, name, owner, expiresAt, showUnits(usd), showUnits(amulet));
        days.add(change, now);
      }
    },
    list: openChangeLists(rows),
    /** The place of the last change; 0 before the first. */
    findLast: () => (last.get()?.["place"] ?? 0n) as bigint,
    /** From this record time on, all changes are kept. Undefined before the first entry. */
    findCompleteFrom: () => beginning.find()?.["complete_from"] as Time | undefined,
    days,
    reload: beginning.reload,
  };
}

/** In the order of the log. One statement for each set of filters, so that each uses its index. */
function openChangeLists(rows: CheckedRows): (filter: ChangeFilter) => readonly KeptNameChange[] {
  const prepare = (condition: string) => rows.query(`where ${condition} place > ? order by place limit +?`);
  const all = prepare("");
  const ofName = prepare("name = ? and");
  const ofOwner = prepare("owner = ? and");
  const ofBoth = prepare("name = ? and owner = ? and");
  return ({ name, owner, after, limit }) => {
    const statement = name === null ? (owner === null ? all : ofOwner) : owner === null ? ofName : ofBoth;
    const filters: readonly SQLInputValue[] = [name, owner].filter((filter) => filter !== null);
    return statement.all(...filters, after, limit).map(readChange);
  };
}

function readChange(row: Row): KeptNameChange {
  return {
    place: row["place"] as bigint,
    recordTime: row["record_time"] as Time,
    kind: row["kind"] as NameChangeKind,
    name: row["name"] as string,
    owner: row["owner"] as PartyId,
    expiresAt: row["expires_at"] as Time | null,
    usd: readUnits(row["usd"] as string | null),
    amulet: readUnits(row["amulet"] as string | null),
  };
}

function showUnits(amount: Decimal | null): string | null {
  return amount === null ? null : `${amount}`;
}

function readUnits(text: string | null): Decimal | null {
  return text === null ? null : (BigInt(text) as Decimal);
}
