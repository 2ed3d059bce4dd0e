/** The pages of a replica's tables of the past and of all indexes, so that a small one is damaged as often as a large one. */
import { DatabaseSync } from "node:sqlite";
import type { Random } from "../support/random.ts";

interface Page {
  readonly start: number;
  readonly size: number;
}

export class TablePages {
  readonly #pages: ReadonlyMap<string, readonly Page[]>;

  /** Of a database that nobody has open. */
  constructor(path: string) {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = database
        .prepare(
          "select name, pgoffset, pgsize from dbstat where name in (select r.name from row_sum r union select s.name from sqlite_schema s where s.type = 'index')",
        )
        .all();
      const byTable = Map.groupBy(rows, ({ name }) => String(name));
      this.#pages = new Map(
        [...byTable].map(([name, pages]) => [
          name,
          pages.map(({ pgoffset, pgsize }) => ({ start: Number(pgoffset), size: Number(pgsize) })),
        ]),
      );
    } finally {
      database.close();
    }
  }

  /** A byte of one of the tables or indexes. */
  pickByte(random: Random): number {
    const { start, size } = random.pick(this.#pages.get(random.pick([...this.#pages.keys()])) ?? []);
    return start + random.below(size);
  }
}
