/** The agenda's table: one row a contract, found by key, by coin, by the time it is due, by waiting. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { ContractId } from "@callsign/ledger";
import { AGENDA_TEMPLATES, type AgendaTemplate, contractKey, templateNumber } from "./agenda-row.ts";
import type { RowContent } from "./row-content.ts";

const SCHEMA = `
  create table if not exists sv_contract (
    created integer primary key,
    contract_key integer not null,
    contract_id text not null,
    template integer not null,
    key integer not null,
    other integer,
    due integer,
    pending integer not null
  ) strict;
  create index if not exists sv_contract_contract on sv_contract (contract_key);
  create index if not exists sv_contract_key on sv_contract (template, key, created);
  create index if not exists sv_contract_other on sv_contract (template, other) where other is not null;
  create index if not exists sv_contract_due on sv_contract (due, created) where due is not null;
  create index if not exists sv_contract_template_due on sv_contract (template, due) where due is not null;
  create index if not exists sv_contract_pending on sv_contract (created) where pending = 1;
`;

export interface AgendaRow {
  /** Orders contracts by creation over all of the log, and is the row's id. */
  readonly created: bigint;
  readonly contractId: ContractId;
  readonly template: AgendaTemplate;
  readonly key: bigint;
  readonly other: bigint | null;
  readonly due: bigint | null;
}

/** A place in the order of due rows. */
export interface DuePlace {
  readonly due: bigint;
  readonly created: bigint;
}

export class AgendaRows {
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #find: StatementSync;
  readonly #findContract: StatementSync;
  readonly #byKey: StatementSync;
  readonly #byOther: StatementSync;
  readonly #crowdedKeys: StatementSync;
  readonly #dueRows: StatementSync;
  readonly #pendingRows: StatementSync;
  readonly #nextDue: StatementSync;
  readonly #nextDueOf: StatementSync;
  readonly #ofTemplate: StatementSync;
  readonly #settle: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#insert = database.prepare("insert into sv_contract values (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#remove = database.prepare(
      "delete from sv_contract where contract_key = ? and contract_id = ? returning *",
    );
    this.#find = database.prepare("select * from sv_contract where created = ?");
    this.#findContract = database.prepare(
      "select * from sv_contract where contract_key = ? and contract_id = ?",
    );
    this.#byKey = database.prepare(
      "select * from sv_contract where template = ? and key = ? order by created limit ?",
    );
    this.#byOther = database.prepare(
      "select * from sv_contract where template = ? and other = ? and other is not null",
    );
    this.#crowdedKeys = database.prepare(
      "select key from sv_contract where template = ? group by key having count(*) > ? limit ?",
    );
    this.#dueRows = database.prepare(
      "select * from sv_contract where due is not null and (due, created) > (?, ?) and due <= ? " +
        "order by due, created limit ?",
    );
    this.#pendingRows = database.prepare(
      "select * from sv_contract where pending = 1 and created > ? order by created limit ?",
    );
    this.#nextDue = database.prepare(
      "select min(due) as due from sv_contract where due is not null and due > ?",
    );
    this.#nextDueOf = database.prepare(
      "select min(due) as due from sv_contract where template = ? and due is not null and due > ?",
    );
    this.#ofTemplate = database.prepare(
      "select * from sv_contract where template = ? order by key, created limit ?",
    );
    this.#settle = database.prepare("update sv_contract set pending = 0 where template = ? and key = ?");
  }

  insert(created: bigint, contractId: ContractId, templateId: string, content: RowContent): AgendaRow {
    const template = templateNumber(templateId) as bigint;
    const { key, other, due, pending } = content;
    const contract = contractKey(contractId);
    this.#insert.run(created, contract, contractId, template, key, other, due, pending ? 1n : 0n);
    return { created, contractId, template: templateOf(template), key, other, due };
  }

  remove(contractId: ContractId): AgendaRow | null {
    return readRow(this.#remove.get(contractKey(contractId), contractId));
  }

  find(created: bigint): AgendaRow | null {
    return readRow(this.#find.get(created));
  }

  findContract(contractId: ContractId): AgendaRow | null {
    return readRow(this.#findContract.get(contractKey(contractId), contractId));
  }

  /** In the order of the log. */
  listByKey(template: AgendaTemplate, key: bigint, limit: number): readonly AgendaRow[] {
    return readRows(this.#byKey.all(templateNumber(template.id) as bigint, key, limit));
  }

  listByOther(template: AgendaTemplate, other: bigint): readonly AgendaRow[] {
    return readRows(this.#byOther.all(templateNumber(template.id) as bigint, other));
  }

  /** The keys with more contracts than that. Goes through all of the template: not for every day. */
  listCrowdedKeys(template: AgendaTemplate, contracts: number, limit: number): readonly bigint[] {
    const rows = this.#crowdedKeys.all(templateNumber(template.id) as bigint, contracts, limit);
    return rows.map((row) => row["key"] as bigint);
  }

  /** What time has made due, the longest due first. */
  listDue(after: DuePlace, now: bigint, limit: number): readonly AgendaRow[] {
    return readRows(this.#dueRows.all(after.due, after.created, now, limit));
  }

  /** What waits for the SVs whatever the time, the oldest first. */
  listPending(after: bigint, limit: number): readonly AgendaRow[] {
    return readRows(this.#pendingRows.all(after, limit));
  }

  /** The contracts with that key wait no longer. */
  settle(template: AgendaTemplate, key: bigint): void {
    this.#settle.run(templateNumber(template.id) as bigint, key);
  }

  findNextDue(now: bigint): bigint | null {
    return (this.#nextDue.get(now)?.["due"] ?? null) as bigint | null;
  }

  findNextDueOf(template: AgendaTemplate, now: bigint): bigint | null {
    const number = templateNumber(template.id) as bigint;
    return (this.#nextDueOf.get(number, now)?.["due"] ?? null) as bigint | null;
  }

  /** In no order that means anything. */
  listOf(template: AgendaTemplate, limit: number): readonly AgendaRow[] {
    return readRows(this.#ofTemplate.all(templateNumber(template.id) as bigint, limit));
  }
}

type Row = Record<string, SQLOutputValue>;

function readRows(rows: readonly Row[]): readonly AgendaRow[] {
  return rows.map((row) => readRow(row) as AgendaRow);
}

function readRow(row: Row | undefined): AgendaRow | null {
  if (row === undefined) return null;
  return {
    created: row["created"] as bigint,
    contractId: row["contract_id"] as ContractId,
    template: templateOf(row["template"] as bigint),
    key: row["key"] as bigint,
    other: row["other"] as bigint | null,
    due: row["due"] as bigint | null,
  };
}

function templateOf(number: bigint): AgendaTemplate {
  const template = AGENDA_TEMPLATES[Number(number)];
  if (template === undefined) throw new Error(`the SV's agenda has no template ${number}`);
  return template;
}
