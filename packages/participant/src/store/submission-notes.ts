/**
 * Facts about a submission in flight that the stream does not carry. A note is on disk before its submission is sent, and
 * is removed in the transaction that stores the completion: after a crash there is either the note or the completion.
 */
import type { DeduplicationPeriod, TraceContext } from "@callsign/api";
import { type Sql, type Store, type Timers, WriteBatches } from "@callsign/node";
import { MAX_SUBMISSION_NOTES, NOTE_MARGIN_MICROSECONDS } from "../limits/limits.ts";

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

const NO_CONTEXT: SubmissionContext = { trace: null, period: null };

export class SubmissionNotes {
  readonly #store: Store;
  readonly #kept: WriteBatches<SubmissionNote>;

  constructor(store: Store, timers: Timers) {
    this.#store = store;
    this.#kept = new WriteBatches({ store, timers, write: insertAll });
  }

  /** Resolves when the note is on disk. */
  keep(note: SubmissionNote): Promise<void> {
    return this.#kept.add(note);
  }

  /** Call when the submission cannot take effect any more. */
  async forget(id: string): Promise<void> {
    await this.#store.transaction((sql) => remove(sql, id), { repeatable: true });
  }
}

async function insertAll(sql: Sql, notes: readonly SubmissionNote[]): Promise<void> {
  for (const note of notes) await insert(sql, note);
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

/** Stores the context with the item of the completion. */
export async function keepContext(sql: Sql, offset: number, context: SubmissionContext): Promise<void> {
  if (isEmpty(context)) return;
  await sql.run(
    "insert into submission_context (ledger_offset, context) values ($1, $2)",
    offset,
    JSON.stringify(context),
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

async function insert(sql: Sql, note: SubmissionNote): Promise<void> {
  const { id, workflowId, submissionId, maxRecordTime, context } = note;
  await sql.run(
    "insert into submission_note (id, workflow_id, submission_id, max_record_time) values ($1, $2, $3, $4)",
    id,
    workflowId,
    submissionId,
    maxRecordTime,
  );
  if (isEmpty(context)) return;
  await sql.run(
    "insert into submission_note_context (id, context) values ($1, $2)",
    id,
    JSON.stringify(context),
  );
}

async function remove(sql: Sql, id: string): Promise<void> {
  await sql.run("delete from submission_note where id = $1", id);
  await sql.run("delete from submission_note_context where id = $1", id);
}
