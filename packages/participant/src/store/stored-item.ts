/** An item of the participant's stream, as its row has it. */
import type { StreamItem } from "@callsign/api";
import type { SqlRow } from "@callsign/node";
import { readContext, type SubmissionContext } from "./submission-notes.ts";

export interface StoredItem {
  readonly offset: number;
  readonly digest: string;
  readonly workflowId: string;
  readonly context: SubmissionContext;
  readonly item: StreamItem;
}

export const SELECT_ITEM = `select ledger_offset, digest, workflow_id, body, packed,
  (select context from submission_context where submission_context.ledger_offset = stream_item.ledger_offset) as context
  from stream_item`;

export function readItem(row: SqlRow, body: string): StoredItem {
  return {
    offset: Number(row["ledger_offset"]),
    digest: row["digest"] as string,
    workflowId: row["workflow_id"] as string,
    context: readContext(row["context"] as string | null),
    item: JSON.parse(body) as StreamItem,
  };
}
