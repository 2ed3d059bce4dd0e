/**
 * Writes agreed items of the stream, in the transaction that moves the position, so that a restart resumes exactly after the
 * last stored item. Rows of one table are written together.
 */
import type { StreamEvent, StreamItem, StreamUpdate } from "@callsign/api";
import { commandKey } from "@callsign/ledger";
import { indexedText, insertInto, type Sql, type SqlValues } from "@callsign/node";
import type { AgreedItem } from "../agreement/stream-agreement.ts";
import { ContractRows } from "./contract-rows.ts";
import { packBody } from "./packed-body.ts";
import { indexItems } from "./read-index.ts";
import type { RowMemory } from "./row-memory.ts";
import type { StoredItem } from "./stored-item.ts";
import { keepContexts, NO_CONTEXT, takeNote } from "./submission-notes.ts";

export interface IngestedItem extends AgreedItem {
  readonly item: StreamItem;
}

const insertItems = insertInto(
  "stream_item",
  "ledger_offset, digest, record_time, update_id, body, packed, workflow_id",
);
const insertCompletions = insertInto(
  "completion",
  "ledger_offset, command_key, submission_id, record_time, accepted",
);
const insertUserCompletions = insertInto("user_completion", "user_id, ledger_offset, submission_id, cause");
const insertWitnesses = insertInto("update_witness", "party_number, ledger_offset");

/** Returns the items as a read finds them, and the text of each. */
export async function ingestItems(
  sql: Sql,
  items: readonly IngestedItem[],
  memory: RowMemory,
): Promise<readonly { readonly stored: StoredItem; readonly body: string }[]> {
  const ingested: { readonly stored: StoredItem; readonly body: string }[] = [];
  const rows: SqlValues[] = [];
  const completions: SqlValues[] = [];
  const userCompletions: SqlValues[] = [];
  const witnesses: SqlValues[] = [];
  const contracts = new ContractRows(memory);
  const bodies = await memory.bodies.loadToPack(sql);
  const { names } = memory;
  for (const each of items) {
    const { offset, digest, body, item, cause } = each;
    const { completion, update } = item;
    const recordTime = BigInt(item.recordTime);
    const note = completion === null ? undefined : await takeNote(sql, completion.submissionId);
    const { workflowId = "", context = NO_CONTEXT } = note ?? {};
    ingested.push({ stored: { offset, digest, workflowId, context, item }, body });
    const packed = packBody(each, bodies);
    rows.push([offset, digest, recordTime, update?.updateId ?? null, "", packed, workflowId]);
    if (completion !== null) {
      const { userId, submissionId, error } = completion;
      const key = indexedText(commandKey(completion));
      completions.push([offset, key, submissionId, recordTime, error === null ? 1n : 0n]);
      userCompletions.push([userId, offset, note?.submissionId ?? submissionId, cause]);
    }
    if (update !== null) {
      for (const party of new Set(update.events.flatMap((event) => event.witnesses)))
        witnesses.push([await names.give(sql, party), offset]);
      collectContracts(contracts, offset, update);
    }
    await changeHostings(sql, item);
  }
  await bodies.save(sql);
  await insertItems(sql, rows);
  await keepContexts(
    sql,
    ingested.map(({ stored }) => stored),
  );
  await insertCompletions(sql, completions);
  await insertUserCompletions(sql, userCompletions);
  await insertWitnesses(sql, witnesses);
  await contracts.write(sql);
  await indexItems(sql, items, names);
  return ingested;
}

async function changeHostings(sql: Sql, { hostings }: StreamItem): Promise<void> {
  for (const { party, hosted } of hostings) {
    await sql.run(
      "insert into party (party, is_local) values ($1, $2) on conflict (party) do update set is_local = excluded.is_local",
      party,
      hosted ? 1n : 0n,
    );
  }
}

function collectContracts(contracts: ContractRows, offset: number, { events }: StreamUpdate): void {
  const consumed = new Set(events.map((event) => (isConsuming(event) ? event.contractId : null)));
  for (const event of events) {
    if (isConsuming(event)) contracts.archive(offset, event);
    else if (event.kind === "created" && (isHeld(event) || consumed.has(event.contractId)))
      contracts.create(offset, event);
  }
}

function isConsuming(event: StreamEvent): event is Extract<StreamEvent, { kind: "exercised" }> {
  return event.kind === "exercised" && event.consuming;
}

/** True if a hosted party is a stakeholder. */
function isHeld({ signatories, observers, witnesses }: StreamEvent): boolean {
  return [...signatories, ...observers].some((party) => witnesses.includes(party));
}
