/** The floor of a log: the same bytes in plain prepared inserts, in as many commits, on the same server or disk. */
import { join } from "node:path";
import { inTransaction, openDatabase, type PostgresConfig } from "@callsign/node";
import type { LogBatch } from "@callsign/synchronizer";
import pg from "pg";

export interface BareInserts {
  /** One commit for all of them. */
  readonly insert: (batches: readonly LogBatch[]) => void | Promise<void>;
  readonly close: () => void | Promise<void>;
}

export function bareSqlite(folder: string): BareInserts {
  const database = openDatabase(join(folder, "bare.db"), { exclusive: true });
  database.exec("create table entry (sequence integer primary key, bytes text not null) strict");
  const insert = database.prepare("insert into entry (sequence, bytes) values (?, ?)");
  return {
    insert: (batches) =>
      inTransaction(database, () => {
        for (const { after, entries } of batches)
          for (const [i, bytes] of entries.entries()) insert.run(after.sequence + 1 + i, bytes);
      }),
    close: () => database.close(),
  };
}

export async function barePostgres({ schema: _, ...config }: PostgresConfig): Promise<BareInserts> {
  const client = new pg.Client({ ...config, ssl: false });
  await client.connect();
  await client.query("create table bare (sequence bigint primary key, bytes bytea not null)");
  return {
    insert: async (batches) => {
      const rows = batches.map((_batch, i) => `($${2 * i + 1}, $${2 * i + 2})`);
      await client.query({
        name: `insert ${rows.length}`,
        text: `insert into bare (sequence, bytes) values ${rows.join(", ")}`,
        values: batches.flatMap(({ head, entries }) => [head.sequence, Buffer.from(entries.join("\n"))]),
      });
    },
    close: () => client.end(),
  };
}
