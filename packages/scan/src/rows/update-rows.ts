/**
 * The history of updates: every transaction of the log as the DSO sees it, one packed row each, never pruned. Record times
 * rise with every entry, so a row is found by its own. An index that did not follow the log from its first entry on lacks the
 * updates before its beginning.
 */
import type { SQLOutputValue } from "node:sqlite";
import type { Outcome, PartyId, Time, Transaction } from "@callsign/ledger";
import { BoundedMap, packText, type TextDictionaries, unpackText } from "@callsign/node";
import {
  CheckedRows,
  type CheckedTable,
  openCheckedDictionaries,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { formatStoredUpdate, type KnownUpdate, parseStoredUpdate } from "../history/stored-update.ts";
import { RECENT_UPDATES } from "../limits/limits.ts";
import { type BeginningRow, openBeginning } from "./beginning.ts";
import { DICTIONARIES, DICTIONARY_TABLE } from "./update-dictionaries.ts";

/** Ids of updates are hashes behind two bytes that are always the same. */
export const UPDATE_TABLES = `
  create table update_history (
    record_time integer primary key,
    update_id blob not null,
    dictionary integer not null,
    body blob not null
  ) strict;
  create index update_history_id on update_history (substr(update_id, 3, 8));
  create table update_beginning (
    one integer primary key check (one = 1),
    sequence integer not null,
    record_time integer not null
  ) strict;
  ${DICTIONARY_TABLE}
`;

export const UPDATES = {
  table: "update_history",
  columns: ["record_time", "update_id", "dictionary", "body"],
} as const satisfies CheckedTable;

export const UPDATE_BEGINNING = {
  table: "update_beginning",
  columns: ["one", "sequence", "record_time"],
} as const satisfies CheckedTable;

/** The text of an update that the DSO sees nothing of. */
const UNSEEN = "";

/** By the digest of the entry, which covers the transaction: the SVs of one process apply the same entries. */
const texts = new BoundedMap<string, string>({ limit: RECENT_UPDATES });

export function openUpdateRows(state: SummedDatabase) {
  const { database, sums } = state;
  const rows = new CheckedRows(database, UPDATES, sums);
  const beginning = openBeginning(state, UPDATE_BEGINNING);
  const dictionaries = openCheckedDictionaries(database, DICTIONARIES, sums);

  function add(transaction: Transaction, dso: PartyId, { digest, recordTime }: Outcome["head"]): void {
    const text = texts.getOrMake(digest, () => formatStoredUpdate(transaction, dso) ?? UNSEEN);
    if (text === UNSEEN) return;
    const { id, dictionary } = dictionaries.choose(kindOf(transaction), text);
    const packed = dictionary.packed.getOrMake(digest, () => packText(text, dictionary));
    rows.insert(recordTime, Buffer.from(transaction.updateId, "hex"), id, packed);
  }

  return {
    ...openUpdateReader(state, { rows, beginning, dictionaries }),
    /** The state that a network took over is no update of its own: its contracts were created elsewhere. */
    absorb: ({ head, verdict, imported }: Outcome, dso: PartyId) => {
      beginning.ensure(() => [head.sequence, head.recordTime]);
      if (imported !== null || verdict.kind !== "accepted" || verdict.transaction === null) return;
      add(verdict.transaction, dso, head);
    },
    reload: () => {
      beginning.reload();
      dictionaries.reload();
    },
  };
}

/** Updates of one kind have similar texts. */
function kindOf({ nodes }: Pick<Transaction, "nodes">): string {
  const [first] = nodes;
  if (first === undefined) return "";
  return first.kind === "create" ? first.contract.templateId : `${first.templateId} ${first.choice}`;
}

interface UpdateReaderParts {
  readonly rows: CheckedRows;
  readonly beginning: BeginningRow;
  readonly dictionaries: Pick<TextDictionaries, "get">;
}

function openUpdateReader(
  { database }: SummedDatabase,
  { rows, beginning, dictionaries }: UpdateReaderParts,
) {
  const after = rows.query("where record_time > ? and record_time <= ? order by record_time limit +?");
  const before = rows.query("where record_time < ? and record_time >= ? order by record_time desc limit +?");
  const byId = rows.query("where substr(update_id, 3, 8) = substr(?1, 3, 8) and update_id = ?1");
  const idAt = database.prepare("select update_id from update_history where record_time = ?");
  const ends = database.prepare(
    "select min(record_time) as first, max(record_time) as last from update_history",
  );
  const read = (row: Row): KnownUpdate => {
    const body = Buffer.from(row["body"] as Uint8Array);
    return {
      updateId: hexOf(row["update_id"]),
      recordTime: row["record_time"] as Time,
      ...parseStoredUpdate(unpackText(body, dictionaries.get(row["dictionary"] as bigint))),
    };
  };
  const readOrNone = (row: Row | undefined) => (row === undefined ? undefined : read(row));
  return {
    /** Later than a record time, and not later than another one, the first of them first. */
    listAfter: (range: { readonly after: bigint; readonly until: bigint; readonly limit: number }) =>
      after.all(range.after, range.until, range.limit).map(read),
    /** The last before a record time, and not before another one, the last of them first. */
    listBefore: (range: { readonly before: bigint; readonly from: bigint; readonly limit: number }) =>
      before.all(range.before, range.from, range.limit).map(read),
    find: (updateId: string) => readOrNone(byId.get(Buffer.from(updateId, "hex"))),
    findIdAt: (recordTime: Time): string | undefined => {
      const row = idAt.get(recordTime);
      return row === undefined ? undefined : hexOf(row["update_id"]);
    },
    findAt: (recordTime: Time) => readOrNone(rows.find(recordTime)),
    /** The record times of the first and of the last update; undefined if there is none. */
    findEnds: (): { readonly first: Time; readonly last: Time } | undefined => {
      const row = ends.get();
      if (row === undefined || row["first"] === null) return undefined;
      return { first: row["first"] as Time, last: row["last"] as Time };
    },
    /** True if the index has followed the log from its first entry on. */
    isComplete: () => beginning.find()?.["sequence"] === 1n,
  };
}

function hexOf(bytes: SQLOutputValue | undefined): string {
  return Buffer.from(bytes as Uint8Array).toString("hex");
}
