/**
 * The history of updates: every transaction of the log as the DSO sees it, never pruned. Each has a row of its own, by its record time,
 * which rises with every entry. Their texts are packed together in blocks (decision 0083), each under the record time of its last
 * update; rows of earlier releases have their texts themselves. Both wait in memory, where readers find them, until a block is full or the
 * transaction ends. An index that did not follow the log from its first entry on lacks the updates before its beginning.
 */
import type { Outcome, PartyId, Transaction } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import {
  CheckedRows,
  type CheckedTable,
  LineBlocks,
  openCheckedDictionaries,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { formatStoredUpdate } from "../history/stored-update.ts";
import { RECENT_UPDATES } from "../limits/limits.ts";
import { openBeginning } from "./beginning.ts";
import { DICTIONARIES, DICTIONARY_TABLE } from "./update-dictionaries.ts";
import { openUpdateReader, type WaitingUpdate } from "./update-reader.ts";

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
