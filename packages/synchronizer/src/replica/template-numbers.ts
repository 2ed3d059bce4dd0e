/** Template ids are long and few: rows name them by number. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { CheckedRows } from "./checked-rows.ts";
import { rowCheck } from "./row-check.ts";

export class TemplateNumbers {
  readonly #rows: CheckedRows;
  /** A number that a row has already is refused, not given to another name. */
  readonly #insert: StatementSync;
  readonly #numbers = new Map<string, bigint>();
  readonly #names = new Map<bigint, string>();

  constructor(database: DatabaseSync) {
    this.#rows = new CheckedRows(database, "template");
    this.#insert = database.prepare("insert into template (id, name, row_check) values (?, ?, ?)");
    this.reload();
  }

  number(name: string): bigint {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = BigInt(this.#numbers.size + 1);
    this.#insert.run(number, name, rowCheck(number, name));
    this.#learn(number, name);
    return number;
  }

  name(number: bigint): string {
    // Another connection may have added it.
    if (!this.#names.has(number)) this.reload();
    const name = this.#names.get(number);
    if (name === undefined) throw new Error(`template ${number} is not in the replica's tables`);
    return name;
  }

  /** Reads the table again: numbers given out in a transaction that was rolled back do not exist. */
  reload(): void {
    this.#numbers.clear();
    this.#names.clear();
    for (const row of this.#rows.list()) this.#learn(row["id"] as bigint, row["name"] as string);
  }

  #learn(number: bigint, name: string): void {
    this.#numbers.set(name, number);
    this.#names.set(number, name);
  }
}
