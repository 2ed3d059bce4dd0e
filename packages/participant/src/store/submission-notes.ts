/**
 * Facts about a submission in flight that the stream does not carry. A note is on disk before its submission is sent, and
 * is removed in the transaction that stores the completion: after a crash there is either the note or the completion.
 */
import type { DeduplicationPeriod, TraceContext } from "@callsign/api";
import { insertInto, type Sql, type Store, type Timers, WriteBatches } from "@callsign/node";
import {
  MAX_SUBMISSION_NOTES,
  NOTE_MARGIN_MICROSECONDS,
  UNCHECKED_SUBMISSION_NOTES,
} from "../limits/limits.ts";

export interface SubmissionNote {
  /** The submission's id on the network. */
  readonly id: string;
  readonly workflowId: string;
  /** The id that the submitter gave. */
  readonly submissionId: string | null;
  /** The submission cannot take effect after this time. */
  readonly maxRecordTime: bigint;
  readonly context: SubmissionContext;
}

/** Facts that are shown again with the completion. */
export interface SubmissionContext {
  readonly trace: TraceContext | null;
  /** The deduplication period; null for the longest. */
  readonly period: DeduplicationPeriod | null;
}

export const NO_CONTEXT: SubmissionContext = { trace: null, period: null };

const insertNotes = insertInto("submission_note", "id, workflow_id, submission_id, max_record_time");
const insertNoteContexts = insertInto("submission_note_context", "id, context");
const insertContexts = insertInto("submission_context", "ledger_offset, context");

export class SubmissionNotes {
  readonly #store: Store;
  readonly #kept: WriteBatches<SubmissionNote>;
  /** Notes that may be kept before too many are looked for again. */
  #unchecked = 0;

  constructor(store: Store, timers: Timers) {
    this.#store = store;
    this.#kept = new WriteBatches({ store, timers, write: (sql, notes) => this.#write(sql, notes) });
  }

  /** Resolves when the note is on disk. */
  keep(note: SubmissionNote): Promise<void> {
    return this.#kept.add(note);
  }

  /** Call when the submission cannot take effect any more. */
  async forget(id: string): Promise<void> {
    await this.#store.transaction((sql) => remove(sql, id), { repeatable: true });
  }

  async #write(sql: Sql, notes: readonly SubmissionNote[]): Promise<void> {
    await insertNotes(
      sql,
      notes.map(({ id, workflowId, submissionId, maxRecordTime }) => [
        ...[id, workflowId, submissionId, maxRecordTime],
      ]),
    );
    const withContext = notes.filter(({ context }) => !isEmpty(context));
    await insertNoteContexts(
      sql,
      withContext.map(({ id, context }) => [id, JSON.stringify(context)]),
    );
    this.#unchecked -= notes.length;
    if (this.#unchecked >= 0) return;
    await removeOldest(sql);
    this.#unchecked = UNCHECKED_SUBMISSION_NOTES;
  }
}

async function removeOldest(sql: Sql): Promise<void> {
  const removed = await sql.run(
    `delete from submission_note where max_record_time <=
      (select max_record_time from submission_note order by max_record_time desc limit 1 offset $1)`,
    MAX_SUBMISSION_NOTES,
  );
  if (removed > 0) await dropContexts(sql);
}

/** Runs in the transaction that stores the completion. */
export async function takeNote(
  sql: Sql,
  id: string,
): Promise<Omit<SubmissionNote, "id" | "maxRecordTime"> | undefined> {
  const row = await sql.get(
    "delete from submission_note where id = $1 returning workflow_id, submission_id",
    id,
  );
  if (row === undefined) return undefined;
  const found = await sql.get("delete from submission_note_context where id = $1 returning context", id);
  return {
    workflowId: row["workflow_id"] as string,
    submissionId: row["submission_id"] as string | null,
    context: readContext((found?.["context"] as string | undefined) ?? null),
  };
}

/** Stores contexts with the items of their completions. */
export async function keepContexts(
  sql: Sql,
  items: readonly { readonly offset: number; readonly context: SubmissionContext }[],
): Promise<void> {
  const kept = items.filter(({ context }) => !isEmpty(context));
  await insertContexts(
    sql,
    kept.map(({ offset, context }) => [offset, JSON.stringify(context)]),
  );
}

export function readContext(text: string | null): SubmissionContext {
  return text === null ? NO_CONTEXT : (JSON.parse(text) as SubmissionContext);
}

export function isEmpty({ trace, period }: SubmissionContext): boolean {
  return trace === null && period === null;
}

/** Drops notes of submissions whose latest record time is long past. */
export async function dropNotes(sql: Sql, recordTime: bigint): Promise<void> {
  const dropped = await sql.run(
    "delete from submission_note where max_record_time < $1",
    recordTime - NOTE_MARGIN_MICROSECONDS,
  );
  if (dropped > 0) await dropContexts(sql);
}

/** Drops contexts without a note. */
async function dropContexts(sql: Sql): Promise<void> {
  await sql.run("delete from submission_note_context where id not in (select id from submission_note)");
}

async function remove(sql: Sql, id: string): Promise<void> {
  await sql.run("delete from submission_note where id = $1", id);
  await sql.run("delete from submission_note_context where id = $1", id);
}
