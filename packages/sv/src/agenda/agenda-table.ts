/** The agenda's table: one row a contract, found by its keys, by the time it is due, and by waiting for the SVs. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { addIdBytes, keptContractId } from "@callsign/synchronizer";
import type { KeyColumn } from "../kinds/agenda-kind.ts";

/** The keys' columns. Null says nothing about a contract, and stands in no index. */
const KEY_COLUMNS: Readonly<Record<KeyColumn, string>> = {
  nameKey: "name_key",
  referenceKey: "reference_key",
  coinKey: "coin_key",
  ownerKey: "owner_key",
  confirmationKey: "confirmation_key",
  round: "round",
};

export const AGENDA_KEYS = Object.keys(KEY_COLUMNS) as KeyColumn[];

export const ROWS_SCHEMA = `
  create table sv_kind (number integer primary key, template text not null unique) strict;
  create table sv_agenda_row (
    created integer primary key,
    contract_key integer not null,
    contract_id text not null,
    kind integer not null,
    created_at integer not null,
    ${Object.values(KEY_COLUMNS)
      .map((column) => `${column} integer,`)
      .join("\n    ")}
    due integer,
    pending integer not null
  ) strict;
  create index sv_agenda_row_contract on sv_agenda_row (contract_key);
  create index sv_agenda_row_kind on sv_agenda_row (kind, created);
  ${Object.values(KEY_COLUMNS)
    .map(
      (column) =>
        `create index sv_agenda_row_${column} on sv_agenda_row (kind, ${column}, created) where ${column} is not null;`,
    )
    .join("\n  ")}
  create index sv_agenda_row_due on sv_agenda_row (due, created) where due is not null;
  create index sv_agenda_row_kind_due on sv_agenda_row (kind, due) where due is not null;
  create index sv_agenda_row_pending on sv_agenda_row (created) where pending = 1;
`;

export const ROW_ID_BYTES = addIdBytes("sv_agenda_row");

export function prepareAgendaStatements(database: DatabaseSync) {
  const statement = (sql: string): StatementSync => database.prepare(sql);
  const listBy = (column: string) =>
    statement(
      `select * from sv_agenda_row where kind = ? and ${column} = ? and ${column} is not null order by created limit +?`,
    );
  return {
    insert: statement("insert into sv_agenda_row values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    remove: statement(
      `delete from sv_agenda_row where contract_key = ? and ${keptContractId()} = ? returning *`,
    ),
    find: statement("select * from sv_agenda_row where created = ?"),
    findContract: statement(`select * from sv_agenda_row where contract_key = ? and ${keptContractId()} = ?`),
    list: statement("select * from sv_agenda_row where kind = ? order by created limit +?"),
    listBy: Object.fromEntries(
      Object.entries(KEY_COLUMNS).map(([key, column]) => [key, listBy(column)]),
    ) as Record<KeyColumn, StatementSync>,
    crowdedOwners: statement(
      "select owner_key from sv_agenda_row where kind = ? and owner_key is not null " +
        "group by owner_key having count(*) > ? limit +?",
    ),
    listDue: statement(
      "select * from sv_agenda_row where due is not null and (due, created) > (?, ?) and due <= ? " +
        "order by due, created limit +?",
    ),
    listDueAt: statement(
      "select * from sv_agenda_row where kind = ? and due = ? and due is not null order by created limit +?",
    ),
    listPending: statement(
      "select * from sv_agenda_row where pending = 1 and created > ? order by created limit +?",
    ),
    firstDue: statement("select min(due) as due from sv_agenda_row where due is not null"),
    nextDue: statement("select min(due) as due from sv_agenda_row where due is not null and due > ?"),
    nextDueOf: statement(
      "select min(due) as due from sv_agenda_row where kind = ? and due is not null and due > ?",
    ),
    settle: statement(
      "update sv_agenda_row set pending = 0 where kind = ? and owner_key = ? and owner_key is not null",
    ),
    setDue: statement("update sv_agenda_row set due = created_at + ? where kind = ?"),
  };
}
