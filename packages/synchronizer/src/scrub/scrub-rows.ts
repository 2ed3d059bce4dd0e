/**
 * Rows against the checks that were written with them. In the tables of consumers, the sum of the checks shows a row that is
 * missing. Rows come and go while the scrub walks through a table: it keeps the sum of those behind it.
 */
import type { SQLInputValue } from "node:sqlite";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { findDamage, type Row } from "../replica/checked-rows.ts";
import type { ReplicaConsumer } from "../replica/consumer.ts";
import {
  addCheck,
  CHECKED_TABLES,
  type CheckedTable,
  type CheckedValue,
  KEY_HASH,
  takeCheck,
} from "../replica/row-check.ts";
import type { SummedDatabase } from "../replica/row-sums.ts";
import { keyProver } from "../replica/used-id-texts.ts";
import { compareKeys, formatKey, parseKey, type RowKey } from "./row-key.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

export function scrubRows(
  state: SummedDatabase,
  consumers: readonly ReplicaConsumer[],
): readonly ScrubPart[] {
  return [
    ...CHECKED_TABLES.map((table) => scrubTable(state, table)),
    ...consumers
      .flatMap(({ checkedTables = [] }) => checkedTables)
      .map((table) => scrubTable(state, table, new WalkedSum(state, table))),
  ];
}

function scrubTable({ database }: SummedDatabase, checked: CheckedTable, sum?: WalkedSum): ScrubPart {
  const { table, columns, key = [columns[0]] } = checked;
  const keys = key.join(", ");
  const from = `select row_check, ${columns.join(", ")} from ${table}`;
  const first = database.prepare(`${from} order by ${keys} limit +?`);
  const next = database.prepare(
    `${from} where (${keys}) > (${key.map(() => "?").join(", ")}) order by ${keys} limit +?`,
  );
  const proveKey = columns.includes(KEY_HASH) ? keyProver(database) : () => undefined;
  const keyOf = (row: Row): RowKey => key.map((column) => row[column] as CheckedValue);
  return {
    name: `rows of ${table}`,
    store: "replica",
    check: (after) => {
      let place: RowKey | null = after === "" ? null : parseKey(after);
      // An earlier release may have had another key.
      if (place?.length !== key.length) place = null;
      sum?.goOnFrom(place);
      const rows =
        place === null
          ? first.all(SCRUBBED_AT_ONCE)
          : next.all(...(place as SQLInputValue[]), SCRUBBED_AT_ONCE);
      for (const row of rows) {
        const damage = findDamage(checked, row);
        if (damage !== null) throw differs(damage);
        proveKey(row);
        const own = keyOf(row);
        if (place !== null && compareKeys(own, place) <= 0)
          throw differs(`the row ${own.join(", ")} of the table ${table} stands behind ${place.join(", ")}`);
        place = own;
        sum?.pass(own, Number(row["row_check"]));
      }
      const behind = placeBehind(rows, SCRUBBED_AT_ONCE, (row) => formatKey(keyOf(row)));
      if (behind === null) sum?.finish();
      return { after: behind, rows: rows.length };
    },
  };
}

/** The sum of the checks of a table's rows up to a place. */
class WalkedSum {
  readonly #state: SummedDatabase;
  readonly #table: CheckedTable;
  /** Null in a walk that began before this process or saw rows rolled back: its sum is not known. */
  #sum: number | null = null;
  #place: RowKey | null = null;
  #unwatch: () => void = () => undefined;

  constructor(state: SummedDatabase, table: CheckedTable) {
    this.#state = state;
    this.#table = table;
  }

  goOnFrom(place: RowKey | null): void {
    if (place === null) this.#begin();
    else if (this.#place === null || compareKeys(place, this.#place) !== 0) this.#sum = null;
  }

  pass(key: RowKey, check: number): void {
    this.#place = key;
    if (this.#sum !== null) this.#sum = addCheck(this.#sum, check);
  }

  /** Throws unless the rows that were passed are all that the table should have. */
  finish(): void {
    this.#unwatch();
    const { table } = this.#table;
    const sum = this.#sum;
    this.#sum = null;
    this.#place = null;
    if (sum !== null && sum !== this.#state.sums.get(table))
      throw differs(`the table ${table} lacks a row, or has one too many`);
  }

  #begin(): void {
    this.#unwatch();
    this.#sum = 0;
    this.#place = null;
    const isPassed = (key: RowKey) => this.#place !== null && compareKeys(key, this.#place) <= 0;
    this.#unwatch = this.#state.sums.watch(this.#table, {
      added: (key, check) => {
        if (this.#sum !== null && isPassed(key)) this.#sum = addCheck(this.#sum, check);
      },
      removed: (key, check) => {
        if (this.#sum !== null && isPassed(key)) this.#sum = takeCheck(this.#sum, check);
      },
      reloaded: () => {
        this.#sum = null;
      },
    });
  }
}
