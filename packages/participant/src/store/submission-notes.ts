/**
 * What the participant remembers of a submission that is under way, and the stream does not carry. A note is on disk
 * before its submission is sent, and goes in the transaction that stores the submission's end: whenever the process
 * stops, either the note is there or what became of it.
 */
import type { DeduplicationPeriod, TraceContext } from "@callsign/api";
import type { Sql, Store } from "@callsign/node";
import { MAX_SUBMISSION_NOTES, NOTE_MARGIN_MICROSECONDS } from "../limits/limits.ts";

export interface SubmissionNote {
  /** What the network knows it by. */
  readonly id: string;
  readonly workflowId: string;
  /** The submitter's own name for it. */
  readonly submissionId: string | null;
  /** After that it never happens. */
  readonly maxRecordTime: bigint;
  readonly context: SubmissionContext;
}

/** What is shown again with the submission's end. */
export interface SubmissionContext {
  readonly trace: TraceContext | null;
  /** In which it was to be the only one of its kind; null for the longest there is. */
  readonly period: DeduplicationPeriod | null;
}

const NO_CONTEXT: SubmissionContext = { trace: null, period: null };

interface Batch {
  readonly notes: SubmissionNote[];
  readonly kept: Promise<void>;
}

export class SubmissionNotes {
  readonly #store: Store;
  #next: Batch | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves when it is on disk. Notes that come while the store is busy go there together. */
  keep(note: SubmissionNote): Promise<void> {
    this.#next ??= this.#begin();
    this.#next.notes.push(note);
    return this.#next.kept;
  }

  /** The submission is known never to happen. */
  async forget(id: string): Promise<void> {
    await this.#store.transaction((sql) => remove(sql, id), { repeatable: true });
  }

  #begin(): Batch {
    const notes: SubmissionNote[] = [];
    const close = () => {
      if (this.#next?.notes === notes) this.#next = null;
    };
    const kept = this.#store
      .transaction(async (sql) => {
        close();
        for (const note of notes) await insert(sql, note);
        await sql.run(
          `delete from submission_note where max_record_time <=
            (select max_record_time from submission_note order by max_record_time desc limit 1 offset $1)`,
          MAX_SUBMISSION_NOTES,
        );
        await dropContexts(sql);
      })
      .finally(close);
    return { notes, kept };
  }
}

/** In the transaction that stores the submission's end. */
export async function takeNote(
  sql: Sql,
  id: string,
): Promise<Omit<SubmissionNote, "id" | "maxRecordTime"> | undefined> {
  const row = await sql.get("select workflow_id, submission_id from submission_note where id = $1", id);
  if (row === undefined) return undefined;
  const found = await sql.get("select context from submission_note_context where id = $1", id);
  await remove(sql, id);
  return {
    workflowId: row["workflow_id"] as string,
    submissionId: row["submission_id"] as string | null,
    context: readContext((found?.["context"] as string | undefined) ?? null),
  };
}

/** With the item of the stream that ends the submission. */
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

/** Drops what can no longer be asked for. */
export async function dropNotes(sql: Sql, recordTime: bigint): Promise<void> {
  const dropped = await sql.run(
    "delete from submission_note where max_record_time < $1",
    recordTime - NOTE_MARGIN_MICROSECONDS,
  );
  if (dropped > 0) await dropContexts(sql);
}

/** A context without its note is of no use. */
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
