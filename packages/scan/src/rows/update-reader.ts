/** Reads the history of updates: rows with their texts, from blocks or of earlier releases, and updates that still wait for theirs. */
import type { Time } from "@callsign/ledger";
import { hexOf, type TextDictionaries, unpackText } from "@callsign/node";
import {
  type CheckedRows,
  findLine,
  type Line,
  type LineBlocks,
  ReplicaDamaged,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { type KnownUpdate, parseStoredUpdate } from "../history/stored-update.ts";
import type { BeginningRow } from "./beginning.ts";

/** An update that waits for its block. */
export interface WaitingUpdate extends Line {
  readonly key: Time;
  readonly updateId: string;
}

/** Updates later than a record time, and not later than another one. */
export interface TimesAfter {
  readonly after: bigint;
  readonly until: bigint;
  readonly limit: number;
}

interface UpdateReaderParts {
  readonly rows: CheckedRows;
  readonly blocks: CheckedRows;
  readonly beginning: BeginningRow;
  readonly dictionaries: Pick<TextDictionaries, "get" | "unpack">;
  readonly waiting: Pick<LineBlocks<WaitingUpdate>, "waiting" | "find">;
}

export function openUpdateReader(
  { database }: SummedDatabase,
  { rows, blocks, beginning, dictionaries, waiting }: UpdateReaderParts,
) {
  const later = rows.query("where record_time > ? and record_time <= ? order by record_time limit +?");
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
    return { updateId: hexOf(row["update_id"] as Uint8Array), recordTime, ...parseStoredUpdate(text) };
  };
  const readWaiting = ({ updateId, key, text }: WaitingUpdate): KnownUpdate => ({
    ...{ updateId, recordTime: key },
    ...parseStoredUpdate(text),
  });
  /** An update that waits, or else its row. */
  const oneOf = (update: WaitingUpdate | undefined, find: () => Row | undefined): KnownUpdate | undefined => {
    if (update !== undefined) return readWaiting(update);
    const row = find();
    return row === undefined ? undefined : read(row);
  };
  const reads = {
    /** The first of them first. */
    listAfter: ({ after, until, limit }: TimesAfter) => {
      const listed = later.all(after, until, limit).map(read);
      // Updates that wait are later than all rows.
      for (const update of waiting.waiting)
        if (listed.length < limit && update.key > after && update.key <= until)
          listed.push(readWaiting(update));
      return listed;
    },
    find: (updateId: string) =>
      oneOf(
        waiting.waiting.find((update) => update.updateId === updateId),
        () => byId.get(Buffer.from(updateId, "hex")),
      ),
    findIdAt: (recordTime: Time): string | undefined => {
      const update = waiting.find(recordTime);
      if (update !== undefined) return update.updateId;
      const row = idAt.get(recordTime);
      return row === undefined ? undefined : hexOf(row["update_id"] as Uint8Array);
    },
    findAt: (recordTime: Time) => oneOf(waiting.find(recordTime), () => rows.find(recordTime)),
    /** The record times of the first and of the last update; undefined if there is none. */
    findEnds: (): { readonly first: Time; readonly last: Time } | undefined => {
      const row = ends.get();
      const first = (row?.["first"] ?? waiting.waiting[0]?.key) as Time | undefined;
      const last = (waiting.waiting.at(-1)?.key ?? row?.["last"]) as Time | undefined;
      return first === undefined || last === undefined ? undefined : { first, last };
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
