/** The table of the dictionaries that updates are packed with. */
import type { CheckedTable } from "@callsign/synchronizer";

export const DICTIONARY_TABLE = `
  create table update_dictionary (id integer primary key, ids text not null, body text not null) strict;
`;

export const DICTIONARIES = {
  table: "update_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;
