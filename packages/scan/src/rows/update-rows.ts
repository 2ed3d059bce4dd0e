/**
 * The history of updates: every transaction of the log as the DSO sees it, never pruned. Each has a row of its own, by its record time,
 * which rises with every entry. Their texts are packed together in blocks (decision 0083), each under the record time of its last
 * update; rows of earlier releases have their texts themselves. Both wait in memory until a block is full, the transaction ends, or a reader
 * comes. An index that did not follow the log from its first entry on lacks the updates before its beginning.
 */
import type { SQLOutputValue } from "node:sqlite";
import type { Outcome, PartyId, Time, Transaction } from "@callsign/ledger";
import { BoundedMap, type TextDictionaries, unpackText } from "@callsign/node";
import {
  CheckedRows,
  type CheckedTable,
  findLine,
  type Line,
  LineBlocks,
  openCheckedDictionaries,
  ReplicaDamaged,
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

export const UPDATE_BLOCK_TABLE = `
  create table update_block (last integer primary key, packed blob not null) strict;
`;

export const UPDATES = {
  table: "update_history",
  columns: ["record_time", "update_id", "dictionary", "body"],
} as const satisfies CheckedTable;

export const UPDATE_BLOCKS = {
  table: "update_block",
  columns: ["last", "packed"],
} as const satisfies CheckedTable;

export const UPDATE_BEGINNING = {
  table: "update_beginning",
  columns: ["one", "sequence", "record_time"],
} as const satisfies CheckedTable;

/** The text of an update that the DSO sees nothing of. */
const UNSEEN = "";

/** The columns of a row whose text is in a block. */
const [NO_DICTIONARY, NO_BODY] = [0n, new Uint8Array()];

/** An update that waits for its block. */
interface WaitingUpdate extends Line {
  readonly key: Time;
  readonly updateId: string;
}

/** By the digest of the entry, which covers the transaction: the SVs of one process apply the same entries. */
const recent = new BoundedMap<string, WaitingUpdate>({ limit: RECENT_UPDATES });

export function openUpdateRows(state: SummedDatabase) {
  const { database, sums } = state;
  const rows = new CheckedRows(database, UPDATES, sums);
  const blocks = new CheckedRows(database, UPDATE_BLOCKS, sums);
  const beginning = openBeginning(state, UPDATE_BEGINNING);
  const dictionaries = openCheckedDictionaries(database, DICTIONARIES, sums);
  const waiting = new LineBlocks<WaitingUpdate>({
    dictionaries,
    write: (updates, packed) => {
      for (const { key, updateId } of updates)
        rows.insert(key, Buffer.from(updateId, "hex"), NO_DICTIONARY, NO_BODY);
      blocks.insert((updates.at(-1) as WaitingUpdate).key, packed);
    },
  });
  const reader = openUpdateReader(state, { rows, blocks, beginning, dictionaries, waiting });

  return {
    ...reader.reads,
    /** The state that a network took over is no update of its own: its contracts were created elsewhere. */
    absorb: ({ head, verdict, imported }: Outcome, dso: PartyId) => {
      beginning.ensure(() => [head.sequence, head.recordTime]);
      if (imported !== null || verdict.kind !== "accepted" || verdict.transaction === null) return;
      const { transaction } = verdict;
      const update = recent.getOrMake(head.digest, () => waitingUpdate(transaction, dso, head));
      if (update.text !== UNSEEN) waiting.add(update);
    },
    save: () => waiting.save(),
    reload: () => {
      beginning.reload();
      waiting.reload();
      reader.forget();
    },
  };
}

function waitingUpdate(
  transaction: Transaction,
  dso: PartyId,
  { sequence, recordTime }: Outcome["head"],
): WaitingUpdate {
  const { updateId } = transaction;
  const text = formatStoredUpdate(transaction, dso) ?? UNSEEN;
  return { sequence, key: recordTime, kind: kindOf(transaction), text, updateId };
}

/** Updates of one kind have similar texts. */
function kindOf({ nodes }: Pick<Transaction, "nodes">): string {
  const [first] = nodes;
  if (first === undefined) return "";
  return first.kind === "create" ? first.contract.templateId : `${first.templateId} ${first.choice}`;
}

interface UpdateReaderParts {
  readonly rows: CheckedRows;
  readonly blocks: CheckedRows;
  readonly beginning: BeginningRow;
  readonly dictionaries: Pick<TextDictionaries, "get" | "unpack">;
  readonly waiting: Pick<LineBlocks<WaitingUpdate>, "save">;
}

function openUpdateReader(
  { database }: SummedDatabase,
  { rows, blocks, beginning, dictionaries, waiting }: UpdateReaderParts,
) {
  const after = rows.query("where record_time > ? and record_time <= ? order by record_time limit +?");
  const before = rows.query("where record_time < ? and record_time >= ? order by record_time desc limit +?");
  const byId = rows.query("where substr(update_id, 3, 8) = substr(?1, 3, 8) and update_id = ?1");
  const idAt = database.prepare("select update_id from update_history where record_time = ?");
  const ends = database.prepare(
    "select min(record_time) as first, max(record_time) as last from update_history",
  );
  const blockAt = blocks.query("where last >= ? order by last limit 1");
  /** The block that was read last: the next update may be in it. */
  let block = "";
  const findInBlock = (recordTime: Time): string => {
    const known = findLine(block, recordTime);
    if (known !== undefined) return known;
    const row = blockAt.get(recordTime);
    block = row === undefined ? "" : dictionaries.unpack(row["packed"] as Uint8Array);
    const found = findLine(block, recordTime);
    if (found === undefined) throw new ReplicaDamaged(`the update at ${recordTime} is in no block`);
    return found;
  };
  const read = (row: Row): KnownUpdate => {
    const body = Buffer.from(row["body"] as Uint8Array);
    const recordTime = row["record_time"] as Time;
    const text =
      body.length === 0
        ? findInBlock(recordTime)
        : unpackText(body, dictionaries.get(row["dictionary"] as bigint));
    return { updateId: hexOf(row["update_id"]), recordTime, ...parseStoredUpdate(text) };
  };
  const readOrNone = (row: Row | undefined) => (row === undefined ? undefined : read(row));
  /** Rows that wait are written before any are read. */
  const written = <Q>(query: Q): Q => {
    waiting.save();
    return query;
  };
  const reads = {
    /** Later than a record time, and not later than another one, the first of them first. */
    listAfter: (range: { readonly after: bigint; readonly until: bigint; readonly limit: number }) =>
      written(after).all(range.after, range.until, range.limit).map(read),
    /** The last before a record time, and not before another one, the last of them first. */
    listBefore: (range: { readonly before: bigint; readonly from: bigint; readonly limit: number }) =>
      written(before).all(range.before, range.from, range.limit).map(read),
    find: (updateId: string) => readOrNone(written(byId).get(Buffer.from(updateId, "hex"))),
    findIdAt: (recordTime: Time): string | undefined => {
      const row = written(idAt).get(recordTime);
      return row === undefined ? undefined : hexOf(row["update_id"]);
    },
    findAt: (recordTime: Time) => readOrNone(written(rows).find(recordTime)),
    /** The record times of the first and of the last update; undefined if there is none. */
    findEnds: (): { readonly first: Time; readonly last: Time } | undefined => {
      const row = written(ends).get();
      if (row === undefined || row["first"] === null) return undefined;
      return { first: row["first"] as Time, last: row["last"] as Time };
    },
    /** True if the index has followed the log from its first entry on. */
    isComplete: () => beginning.find()?.["sequence"] === 1n,
  };
  return {
    reads,
    /** Call after a transaction that was rolled back. */
    forget: () => {
      block = "";
    },
  };
}

function hexOf(bytes: SQLOutputValue | undefined): string {
  return Buffer.from(bytes as Uint8Array).toString("hex");
}
