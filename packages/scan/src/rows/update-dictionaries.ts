/** The dictionaries that updates are packed with. */
import { TextDictionaries } from "@callsign/node";
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";

export const DICTIONARY_TABLE = `
  create table update_dictionary (id integer primary key, ids text not null, body text not null) strict;
`;

export const DICTIONARIES = {
  table: "update_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;

export function openUpdateDictionaries({ database, sums }: SummedDatabase): TextDictionaries {
  const rows = new CheckedRows(database, DICTIONARIES, sums);
  const last = database.prepare("select max(id) as id from update_dictionary");
  return new TextDictionaries({
    find: (id) => {
      const row = rows.find(id);
      return row === undefined ? undefined : { ids: row["ids"] as string, body: row["body"] as string };
    },
    findLast: () => (last.get()?.["id"] ?? 0n) as bigint,
    insert: (id, { ids, body }) => rows.insert(id, ids, body),
  });
}
