/**
 * The rows of a snapshot: the state of the ledger, and the history that consumers keep beyond it. Every replica at the same
 * entry gives the same rows in the same order. Rows that follow from contracts are not among them: a replica that starts
 * from a snapshot derives them again.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type Contract, MAX_DEDUPLICATION_PERIOD, type Time } from "@callsign/ledger";
import { formatJson, parseJson } from "@callsign/node";
import { CheckedRows } from "../replica/checked-rows.ts";
import type { HistoryTable } from "../replica/consumer.ts";
import { PayloadTexts } from "../replica/payload-texts.ts";
import { contractAdder } from "../replica/replica-rows.ts";
import { CHECKED_TABLES, type CheckedTable } from "../replica/row-check.ts";
import type { SummedDatabase } from "../replica/row-sums.ts";
import { TemplateNumbers } from "../replica/template-numbers.ts";
import { usedIdAdder } from "../replica/used-ids.ts";

export type SnapshotValue = string | bigint | null;
export type SnapshotRow = readonly SnapshotValue[];

/** One kind of rows. */
export interface SnapshotKind {
  readonly name: string;
  readonly list: (database: DatabaseSync, recordTime: Time) => Iterable<SnapshotRow>;
  /** A function that writes a row of this kind. */
  readonly adder: (to: SummedDatabase) => (row: SnapshotRow) => void;
}

/** Replicas remove submissions and commands that no longer count at different times. */
const COUNTING = {
  submission: (recordTime: Time) => ["until >= ?", recordTime],
  command: (recordTime: Time) => ["record_time >= ?", recordTime - MAX_DEDUPLICATION_PERIOD],
} as const satisfies Record<string, (recordTime: Time) => readonly [string, bigint]>;

/**
 * The position stands beside the rows, numbers of templates and frames and dictionaries differ between replicas, days follow from the
 * log, and kinds and sums from the consumers' rows.
 */
const LEFT_OUT = new Set([
  "head",
  "template",
  "key_frame",
  "contract_dictionary",
  "day",
  "consumer_kind",
  "row_sum",
]);

/** The ledger's state. */
export function stateKinds(): readonly SnapshotKind[] {
  const checked = CHECKED_TABLES.filter(({ table }) => !LEFT_OUT.has(table));
  return [
    ...checked.map((table) => (isUsedIds(table.table) ? usedIdKind(table.table) : checkedKind(table))),
    CONTRACTS,
  ];
}

function checkedKind({ table, columns }: CheckedTable): SnapshotKind {
  const body = columns.indexOf("body");
  return {
    name: table,
    list: function* (database) {
      const select = database.prepare(`select ${columns.join(", ")} from ${table} order by ${columns[0]}`);
      for (const row of select.iterate()) yield valuesOf(row, body);
    },
    adder: ({ database }) => {
      const rows = new CheckedRows(database, { table, columns });
      return (row) => rows.insert(...row);
    },
  };
}

/** Ids have their texts here, which the replicas keep in different forms. */
function usedIdKind(table: keyof typeof COUNTING): SnapshotKind {
  return {
    name: table,
    list: function* (database, recordTime) {
      const [where, since] = COUNTING[table](recordTime);
      const select = database.prepare(`select * from used_${table} where ${where} order by key`);
      for (const row of select.iterate(since)) yield Object.values(row) as SnapshotValue[];
    },
    adder: ({ database }) => {
      const add = usedIdAdder(database, table);
      return (row) => add(row as readonly [string, ...(string | bigint)[]]);
    },
  };
}

function isUsedIds(table: string): table is keyof typeof COUNTING {
  return table in COUNTING;
}

/** Programs write the fields of a body in different orders. */
function valuesOf(row: Record<string, SQLOutputValue>, body: number): SnapshotRow {
  const values = Object.values(row) as SnapshotValue[];
  if (body >= 0) values[body] = formatJson(sortFields(parseJson(values[body] as string)) as object);
  return values;
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sortFields(field)]));
}

const CONTRACTS: SnapshotKind = {
  name: "contract",
  list: function* (database) {
    const select = database.prepare(
      "select contract_id, name, payload, created_at from active_contract order by contract_id",
    );
    for (const row of select.iterate()) yield Object.values(row) as SnapshotValue[];
  },
  adder: ({ database }) => {
    const add = contractAdder(database, {
      ...{ templates: new TemplateNumbers(database), texts: new PayloadTexts(database) },
    });
    return ([contractId, templateId, payload, createdAt]) =>
      add({ contractId, templateId, payload, createdAt } as Contract);
  },
};

/** History that a consumer keeps. A row replaces the one that was derived from an active contract. */
export function historyKind(given: HistoryTable): SnapshotKind {
  const { table, columns, order, list, where, isChecked = false } = given;
  const names = columns.join(", ");
  const filter = where === undefined ? "" : `where ${where}`;
  return {
    name: table,
    list: function* (database) {
      if (list !== undefined) return yield* list(database);
      const selection = `${filter} order by ${order.join(", ")}`;
      const rows = isChecked
        ? new CheckedRows(database, given).list(selection)
        : database.prepare(`select ${names} from ${table} ${selection}`).iterate();
      for (const row of rows) yield columns.map((column) => row[column] as SnapshotValue);
    },
    adder: ({ database, sums }) => {
      if (isChecked) {
        const rows = new CheckedRows(database, given, sums);
        return (row) => rows.save(...row);
      }
      const places = columns.map(() => "?").join(", ");
      const insert = database.prepare(`insert or replace into ${table} (${names}) values (${places})`);
      return (row) => insert.run(...row);
    },
  };
}
