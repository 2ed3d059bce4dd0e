/**
 * The index of the stream for reads: hosting changes by party and by update id, completions by acting party. Its rows
 * follow from the stream and are written with it.
 */
import type { StreamItem } from "@callsign/api";
import { insertInto, type Sql, type SqlValues, sha256 } from "@callsign/node";
import { NameNumbers } from "./name-numbers.ts";

const BATCH = 500;
const INDEXES = [
  {
    table: "hosting_change",
    insert: insertOfParties("hosting_change"),
    partiesOf: ({ hostings }: StreamItem) => hostings.map(({ party }) => party),
  },
  {
    table: "party_completion",
    insert: insertOfParties("party_completion"),
    partiesOf: ({ completion }: StreamItem) => completion?.actAs ?? [],
  },
] as const;
const insertTopology = insertInto(
  "topology_update",
  "ledger_offset, update_id",
  "on conflict (ledger_offset) do nothing",
);

function insertOfParties(table: string) {
  const key = "party_number, ledger_offset";
  return insertInto(table, key, `on conflict (${key}) do nothing`);
}

/** The stream has no update id for a hosting change. This one follows from the digest, so that every store has the same. */
export function topologyUpdateId(digest: string): string {
  return `1220${sha256(`topology\n${digest}`)}`;
}

interface Indexed {
  readonly offset: number | bigint;
  readonly digest: string;
  readonly item: StreamItem;
}

/** Runs in the transaction that stores the items. */
export async function indexItems(sql: Sql, items: readonly Indexed[], names: NameNumbers): Promise<void> {
  const topology = items.filter(({ item }) => item.hostings.length > 0);
  await insertTopology(
    sql,
    topology.map(({ offset, digest }) => [offset, topologyUpdateId(digest)]),
  );
  for (const { insert, partiesOf } of INDEXES) {
    const rows: SqlValues[] = [];
    for (const { offset, item } of items)
      for (const party of new Set(partiesOf(item))) rows.push([await names.give(sql, party), offset]);
    await insert(sql, rows);
  }
}

/** Runs in the transaction that removes the item. */
export async function unindexItem(sql: Sql, offset: bigint, item: StreamItem): Promise<void> {
  await sql.run("delete from topology_update where ledger_offset = $1", offset);
  for (const { table, partiesOf } of INDEXES) {
    for (const party of new Set(partiesOf(item))) {
      await sql.run(
        `delete from ${table} where ledger_offset = $1
          and party_number = (select name_number from name_number where name = $2)`,
        offset,
        party,
      );
    }
  }
}

/** Indexes every item of a store that was written before there was an index. Runs once, as a migration. */
export async function fillReadIndex(sql: Sql): Promise<void> {
  // Stores from before numbered migrations recorded here that they were filled.
  await sql.run("create table if not exists read_index (singleton bigint primary key)");
  const isFilled = (await sql.get("select singleton from read_index where singleton = 1")) !== undefined;
  await sql.run("drop table read_index");
  const names = new NameNumbers();
  for (let after = isFilled ? null : -1n; after !== null; ) {
    const rows = await sql.all(
      "select ledger_offset, digest, body from stream_item where ledger_offset > $1 order by ledger_offset limit $2",
      after,
      BATCH,
    );
    const items = rows.map((row) => ({
      offset: row["ledger_offset"] as bigint,
      digest: row["digest"] as string,
      item: JSON.parse(row["body"] as string) as StreamItem,
    }));
    await indexItems(sql, items, names);
    after = (rows.at(-1)?.["ledger_offset"] as bigint | undefined) ?? null;
  }
}
