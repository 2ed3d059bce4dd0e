/** Numbers for names that repeat in indexes. A number is assigned once and never changes; a cache keeps many of them. */
import { BoundedMap, type Sql } from "@callsign/node";
import { MAX_NAMES_IN_MEMORY } from "../limits/limits.ts";

export class NameNumbers {
  readonly #known = new BoundedMap<string, bigint>({ limit: MAX_NAMES_IN_MEMORY });

  /** The name's number, assigned now if it has none. Runs in the transaction that uses it. */
  async give(sql: Sql, name: string): Promise<bigint> {
    const known = await this.find(sql, name);
    if (known !== undefined) return known;
    const row = await sql.get("select coalesce(max(name_number), 0) + 1 as next from name_number");
    const number = row?.["next"] as bigint;
    await sql.run("insert into name_number (name_number, name) values ($1, $2)", number, name);
    return number;
  }

  /** Call after a rollback: the transaction may have assigned numbers. */
  forget(): void {
    this.#known.clear();
  }

  async find(sql: Sql, name: string): Promise<bigint | undefined> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const row = await sql.get("select name_number from name_number where name = $1", name);
    if (row === undefined) return undefined;
    this.#known.set(name, row["name_number"] as bigint);
    return row["name_number"] as bigint;
  }
}
