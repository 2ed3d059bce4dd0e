/**
 * Writes agreed items of the stream: rows and position in one transaction, so that a restart resumes exactly after the
 * last stored item.
 */
import type { StreamCompletion, StreamEvent, StreamItem, StreamUpdate } from "@callsign/api";
import { commandKey } from "@callsign/ledger";
import { indexedText, type Sql } from "@callsign/node";
import type { AgreedItem } from "../agreement/stream-agreement.ts";
import { contractNumber, NEVER } from "./contract-number.ts";
import type { NameNumbers } from "./name-numbers.ts";
import { indexItem } from "./read-index.ts";
import { dropNotes, keepContext, takeNote } from "./submission-notes.ts";

export interface IngestedItem extends AgreedItem {
  readonly item: StreamItem;
}

export async function ingestItems(
  sql: Sql,
  items: readonly IngestedItem[],
  names: NameNumbers,
): Promise<void> {
  for (const item of items) await ingestItem(sql, item, names);
  const last = items.at(-1);
  if (last === undefined) return;
  await sql.run(
    "update ledger_position set ledger_offset = $1, digest = $2, record_time = $3 where singleton = 1",
    last.offset,
    last.digest,
    BigInt(last.item.recordTime),
  );
  await dropNotes(sql, BigInt(last.item.recordTime));
}

async function ingestItem(sql: Sql, given: IngestedItem, names: NameNumbers): Promise<void> {
  const { offset, digest, body, item } = given;
  const { completion, update, hostings } = item;
  const note = completion === null ? undefined : await takeNote(sql, completion.submissionId);
  await sql.run(
    "insert into stream_item (ledger_offset, digest, record_time, update_id, body, workflow_id) values ($1, $2, $3, $4, $5, $6)",
    offset,
    digest,
    BigInt(item.recordTime),
    update?.updateId ?? null,
    body,
    note?.workflowId ?? "",
  );
  if (note !== undefined) await keepContext(sql, offset, note.context);
  for (const { party, hosted } of hostings) {
    await sql.run(
      "insert into party (party, is_local) values ($1, $2) on conflict (party) do update set is_local = excluded.is_local",
      party,
      hosted ? 1n : 0n,
    );
  }
  if (completion !== null) {
    await insertCompletion(sql, offset, completion, item.recordTime);
    await sql.run(
      "insert into user_completion (user_id, ledger_offset, submission_id, cause) values ($1, $2, $3, $4)",
      completion.userId,
      offset,
      note?.submissionId ?? completion.submissionId,
      given.cause,
    );
  }
  if (update !== null) await insertUpdate(sql, offset, update, names);
  await indexItem(sql, given, names);
}

async function insertCompletion(
  sql: Sql,
  offset: number,
  completion: StreamCompletion,
  recordTime: string,
): Promise<void> {
  await sql.run(
    "insert into completion (ledger_offset, command_key, submission_id, record_time, accepted) values ($1, $2, $3, $4, $5)",
    offset,
    indexedText(commandKey(completion)),
    completion.submissionId,
    BigInt(recordTime),
    completion.error === null ? 1n : 0n,
  );
}

async function insertUpdate(
  sql: Sql,
  offset: number,
  update: StreamUpdate,
  names: NameNumbers,
): Promise<void> {
  const witnesses = new Set(update.events.flatMap((event) => event.witnesses));
  for (const party of witnesses) {
    await sql.run(
      "insert into update_witness (party_number, ledger_offset) values ($1, $2)",
      await names.give(sql, party),
      offset,
    );
  }
  const consumed = new Set(update.events.map((event) => (isConsuming(event) ? event.contractId : null)));
  for (const event of update.events) {
    if (isConsuming(event)) await archiveContract(sql, offset, event, names);
    else if (event.kind === "created" && (isHeld(event) || consumed.has(event.contractId)))
      await storeCreation(sql, offset, event, names);
  }
}

function isConsuming(event: StreamEvent): event is Extract<StreamEvent, { kind: "exercised" }> {
  return event.kind === "exercised" && event.consuming;
}

/** True if a hosted party is a stakeholder. */
function isHeld({ signatories, observers, witnesses }: StreamEvent): boolean {
  return [...signatories, ...observers].some((party) => witnesses.includes(party));
}

/**
 * Stores a contract of which a hosted party is a stakeholder, or which a hosted party saw created and archived in one
 * transaction. Other witnessed contracts can be neither used nor looked up.
 */
export async function storeCreation(
  sql: Sql,
  offset: number,
  event: Extract<StreamEvent, { kind: "created" }>,
  names: NameNumbers,
): Promise<void> {
  const { signatories, observers, witnesses } = event;
  const stakeholders = [...signatories, ...observers].filter((party) => witnesses.includes(party));
  const number = contractNumber(offset, event.nodeId);
  const template = await names.give(sql, event.templateId);
  await sql.run(
    `insert into contract (contract_number, contract_id, template_number, created_at, payload, signatories, observers,
      stakeholders, activated, archived_offset) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    number,
    event.contractId,
    template,
    BigInt(event.createdAt),
    event.payload,
    JSON.stringify(signatories),
    JSON.stringify(observers),
    JSON.stringify(stakeholders),
    event.acsDelta ? 1n : 0n,
    NEVER,
  );
  if (!event.acsDelta) return;
  for (const party of stakeholders) {
    await sql.run(
      "insert into stakeholder (party_number, template_number, archived_offset, contract_number) values ($1, $2, $3, $4)",
      await names.give(sql, party),
      template,
      NEVER,
      number,
    );
  }
}

async function archiveContract(
  sql: Sql,
  offset: number,
  event: Extract<StreamEvent, { kind: "exercised" }>,
  names: NameNumbers,
): Promise<void> {
  const row = await sql.get(
    `update contract set archived_offset = $1, archived_node = $2 where contract_id = $3 and archived_offset = $4
      returning contract_number, template_number, stakeholders, activated`,
    offset,
    event.nodeId,
    event.contractId,
    NEVER,
  );
  if (row === undefined || row["activated"] === 0n) return;
  for (const party of JSON.parse(row["stakeholders"] as string) as readonly string[]) {
    await sql.run(
      `update stakeholder set archived_offset = $1
        where party_number = $2 and template_number = $3 and archived_offset = $4 and contract_number = $5`,
      offset,
      await names.give(sql, party),
      row["template_number"] as bigint,
      NEVER,
      row["contract_number"] as bigint,
    );
  }
}
