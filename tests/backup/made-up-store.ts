/** The store of the made-up role: every kind of value, foreign keys, a table without a key, and an identity. */
import type { Sql, StoreDefinition } from "@callsign/node";
import type { StoredRole } from "../../packages/cli/src/backup/store-place.ts";

const TABLES = `
  create table "order" (name text primary key, number bigint, part double precision, bytes blob, words text);
  create table line (order_name text not null references "order" (name), place bigint not null, note text,
    primary key (order_name, place));
  create table heap (a bigint, b text);
  create table position (id bigint primary key, place bigint not null);
`;

/** Doubles every number. */
async function double(sql: Sql): Promise<void> {
  await sql.run('update "order" set number = number * 2 where number is not null');
}

export function storeOfVersion(version: 1 | 2): StoreDefinition {
  return {
    migrations: { store: "made up", migrations: [TABLES, double].slice(0, version) },
    fileName: "made-up.sqlite",
    findPosition: async (sql) => ({
      place: String((await sql.get("select place from position"))?.["place"] ?? 0n),
    }),
    identity: {
      table: "heap",
      others: "(b is null or b not like 'identity %')",
      find: async (sql) =>
        (await sql.get("select b from heap where b like 'identity %'"))?.["b"]?.toString().slice(9),
      set: async (sql, text) => {
        await sql.run(
          "insert into heap (a, b) values (0, $1)",
          `identity ${JSON.stringify(JSON.parse(text))}`,
        );
      },
    },
  };
}

/** The role whose store is in that folder, or in that database. */
export function clerkOf(dataFolder: string, place: Pick<StoredRole["store"], "database">): StoredRole {
  const store = { ...place, definition: storeOfVersion(2), identityFolders: ["."] };
  return { name: "clerk", dataFolder, store };
}
