/**
 * Rows by which reads find what they answer, and nothing else: changes of hosting by their party and their update's
 * id, completions by those who acted. They follow from the stream, and are written with it. A store of an earlier
 * version has none: they are made when it is opened, once.
 */
import type { StreamItem } from "@callsign/api";
import { type Sql, type Store, sha256 } from "@callsign/node";
import type { NameNumbers } from "./name-numbers.ts";

export const readIndexSchema = `
  create table if not exists topology_update (
    ledger_offset bigint primary key,
    update_id text not null unique
  );
  create table if not exists hosting_change (
    party_number bigint not null,
    ledger_offset bigint not null,
    primary key (party_number, ledger_offset)
  );
  create table if not exists party_completion (
    party_number bigint not null,
    ledger_offset bigint not null,
    primary key (party_number, ledger_offset)
  );
  create index if not exists stream_item_transaction on stream_item (ledger_offset) where update_id is not null;
  create table if not exists read_index (
    singleton bigint primary key
  );
`;

const BATCH = 500;
const INDEXES = [
  { table: "hosting_change", partiesOf: ({ hostings }: StreamItem) => hostings.map(({ party }) => party) },
  { table: "party_completion", partiesOf: ({ completion }: StreamItem) => completion?.actAs ?? [] },
] as const;

/** The stream has no id for a change of hosting. This one is the same wherever and whenever it is made. */
export function topologyUpdateId(digest: string): string {
  return `1220${sha256(`topology\n${digest}`)}`;
}

interface Indexed {
  readonly offset: number | bigint;
  readonly digest: string;
  readonly item: StreamItem;
}

/** In the transaction that stores the item. */
export async function indexItem(
  sql: Sql,
  { offset, digest, item }: Indexed,
  names: NameNumbers,
): Promise<void> {
  if (item.hostings.length > 0) {
    await sql.run(
      "insert into topology_update (ledger_offset, update_id) values ($1, $2) on conflict (ledger_offset) do nothing",
      offset,
      topologyUpdateId(digest),
    );
  }
  for (const { table, partiesOf } of INDEXES) {
    for (const party of new Set(partiesOf(item))) {
      await sql.run(
        `insert into ${table} (party_number, ledger_offset) values ($1, $2) on conflict (party_number, ledger_offset) do nothing`,
        await names.give(sql, party),
        offset,
      );
    }
  }
}

/** In the transaction that removes the item. */
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

/** Before anything is read or stored. If it stops on the way, it begins again. */
export async function fillReadIndex(store: Store, names: NameNumbers): Promise<void> {
  const done = await store.get("select singleton from read_index where singleton = 1");
  if (done !== undefined) return;
  let after = -1n;
  for (;;) {
    const rows = await store.all(
      "select ledger_offset, digest, body from stream_item where ledger_offset > $1 order by ledger_offset limit $2",
      after,
      BATCH,
    );
    await store.transaction(
      async (sql) => {
        for (const row of rows) {
          const item = JSON.parse(row["body"] as string) as StreamItem;
          const offset = row["ledger_offset"] as bigint;
          await indexItem(sql, { offset, digest: row["digest"] as string, item }, names);
        }
      },
      { repeatable: true },
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last["ledger_offset"] as bigint;
  }
  await store.run("insert into read_index (singleton) values (1)");
}
