/** The contents of the tables of a database, compared by the texts of packed rows and not by their bytes. */
import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { listStreamEntries } from "../support/stream-entries.ts";
import { listUpdateTexts } from "../support/update-texts.ts";

/** The contents of every table, by its name. */
export function contentsOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const names = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return new Map(
    names
      .map(({ name }) => name as string)
      .filter((name) => !NOT_COMPARED.has(name))
      .map((name) => [name, describeTable(database, name)]),
  );
}

/**
 * The scrub's own position: after damage to it, one round begins in another place. The numbers of templates, which have
 * checks: a template whose contracts all ended in the page that created them has none; the others stand beside their contracts.
 * The dictionaries of payloads and of the streams, which have checks too: which texts one is made of depends on the pages. The payloads
 * stand beside their contracts, and the frames of keys, which have checks, in the keys.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  ...["scrub_position", "template", "contract_body", "contract_dictionary", "stream_dictionary", "key_frame"],
]);

/**
 * The order in which an SV takes up its tasks, and which of them wait: a task that one SV leaves is done by another. Of a
 * name, the order of entries that expire in the same microsecond.
 */
const NOT_DERIVED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sv_agenda_row: ["created", "pending"],
  sv_coupon: ["created"],
  name_entry: ["created"],
};

/** The text that stands for a number in a table, and the columns that depend on the number. */
const NUMBERED: Readonly<Record<string, readonly [text: string, ...columns: string[]]>> = {
  sv_agenda_row: ["(select k.template from sv_kind k where k.number = kind)", "kind"],
  sv_kind: ["template", "number"],
};

/** Views of rows with their texts: which of them are kept in few bytes depends on the pages, and on the process. */
const VIEWS: Readonly<Record<string, string>> = {
  contract: "active_contract",
  submission: "used_submission",
  command: "used_command",
};

/** The sum of blocks depends on the pages as well. */
const SELECTIONS: Readonly<Record<string, string>> = {
  row_sum: "(select * from row_sum where name <> 'update_block')",
};

function describeTable(database: DatabaseSync, name: string): string {
  // Some bits of compressed texts mean nothing, and which of them share a row depends on the pages: what they say counts.
  if (name === "stream_entry") return sha256(listStreamEntries(database).join("\n"));
  if (name === "update_block") return sha256(listUpdateTexts(database).join("\n"));
  const [text, ...columns] = NUMBERED[name] ?? ["null"];
  const leftOut = new Set([...columns, ...(NOT_DERIVED_COLUMNS[name] ?? [])]);
  const from = VIEWS[name] ?? SELECTIONS[name] ?? `"${name}" not indexed`;
  const rows = database.prepare(`select *, ${text} as numbered from ${from}`).all();
  const texts = rows.map((row) => {
    const left = Object.entries(row).filter(([column]) => !leftOut.has(column));
    return JSON.stringify(
      left.map(([, value]) => (typeof value === "bigint" ? `${value}n` : (value as string | null))),
    );
  });
  return sha256(texts.sort().join("\n"));
}
