/** The agenda's table: one row a contract, found by its keys, by the time it is due, and by waiting for the SVs. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { AnyTemplateDeclaration, Contract, ContractId, Time } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import { ReplicaDamaged } from "@callsign/synchronizer";
import type { AgendaColumns, AgendaRow, KeyColumn } from "../kinds/agenda-kind.ts";
import { AGENDA_KINDS } from "../kinds/agenda-kinds.ts";
import { contractKey } from "../kinds/keys.ts";
import { REMEMBERED_LISTS, REMEMBERED_ROWS } from "../limits/limits.ts";

/** The keys' columns. Null says nothing about a contract, and stands in no index. */
const KEY_COLUMNS: Readonly<Record<KeyColumn, string>> = {
  nameKey: "name_key",
  referenceKey: "reference_key",
  coinKey: "coin_key",
  ownerKey: "owner_key",
  confirmationKey: "confirmation_key",
  round: "round",
};

const KEYS = Object.keys(KEY_COLUMNS) as KeyColumn[];
/** Longer lists are read each time. */
const MAX_REMEMBERED_LIST = 10;

export const ROWS_SCHEMA = `
  create table sv_kind (number integer primary key, template text not null unique) strict;
  create table sv_agenda_row (
    created integer primary key,
    contract_key integer not null,
    contract_id text not null,
    kind integer not null,
    created_at integer not null,
    ${Object.values(KEY_COLUMNS)
      .map((column) => `${column} integer,`)
      .join("\n    ")}
    due integer,
    pending integer not null
  ) strict;
  create index sv_agenda_row_contract on sv_agenda_row (contract_key);
  create index sv_agenda_row_kind on sv_agenda_row (kind, created);
  ${Object.values(KEY_COLUMNS)
    .map(
      (column) =>
        `create index sv_agenda_row_${column} on sv_agenda_row (kind, ${column}, created) where ${column} is not null;`,
    )
    .join("\n  ")}
  create index sv_agenda_row_due on sv_agenda_row (due, created) where due is not null;
  create index sv_agenda_row_kind_due on sv_agenda_row (kind, due) where due is not null;
  create index sv_agenda_row_pending on sv_agenda_row (created) where pending = 1;
`;

/** A place in the order of due rows. */
export interface DuePlace {
  readonly due: bigint;
  readonly created: bigint;
}

export interface NewRow {
  readonly created: bigint;
  readonly contract: Pick<Contract, "contractId" | "createdAt">;
  readonly template: AnyTemplateDeclaration;
  readonly coinKey: bigint | null;
  readonly columns: Partial<AgendaColumns>;
}

/** Rows stay in memory while they last, because each is asked for several times: the agenda alone writes to its table. */
export class AgendaRows {
  readonly #kinds: KindNumbers;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #rows = new BoundedMap<bigint, AgendaRow>({ limit: REMEMBERED_ROWS });
  /** By kind, column and key: all rows with that key. */
  readonly #lists = new BoundedMap<string, readonly AgendaRow[]>({ limit: REMEMBERED_LISTS });
  /** By kind and limit: the oldest rows of the kind. */
  readonly #firsts = new Map<bigint, Map<number, readonly AgendaRow[]>>();
  /** The first time at which any row is due, null if none is; undefined if it has to be read. */
  #firstDue: bigint | null | undefined;

  constructor(database: DatabaseSync) {
    this.#kinds = new KindNumbers(database);
    this.#sql = prepare(database);
  }

  /** Drops what is in memory, after rows were rolled back. */
  reload(): void {
    this.#rows.clear();
    this.#lists.clear();
    this.#firsts.clear();
    this.#firstDue = undefined;
  }

  insert({ created, contract, template, coinKey, columns }: NewRow): AgendaRow {
    const { contractId, createdAt } = contract;
    const { nameKey = null, referenceKey = null, ownerKey = null, confirmationKey = null } = columns;
    const { round = null, due = null, pending = false } = columns;
    this.#sql.insert.run(
      ...[created, contractKey(contractId), contractId, this.#kinds.numberOf(template), createdAt],
      ...[nameKey, referenceKey, coinKey, ownerKey, confirmationKey, round, due, pending ? 1n : 0n],
    );
    const keys = { nameKey, referenceKey, ownerKey, confirmationKey, round };
    const row = { created, contractId, template, createdAt, ...keys, due };
    this.#forgetLists(row, coinKey);
    this.#addDue(due);
    this.#rows.set(created, row);
    return row;
  }

  remove(contractId: ContractId): AgendaRow | null {
    const removed = this.#sql.remove.get(contractKey(contractId), contractId);
    const row = this.#read(removed);
    if (row === null) return null;
    this.#forgetLists(row, removed?.["coin_key"] as bigint | null);
    // Another row may be due at the same time.
    if (row.due !== null && row.due === this.#firstDue) this.#firstDue = undefined;
    this.#rows.delete(row.created);
    return row;
  }

  find(created: bigint): AgendaRow | null {
    const known = this.#rows.get(created);
    if (known !== undefined) return known;
    const row = this.#read(this.#sql.find.get(created));
    if (row !== null) this.#rows.set(created, row);
    return row;
  }

  findContract(contractId: ContractId): AgendaRow | null {
    return this.#read(this.#sql.findContract.get(contractKey(contractId), contractId));
  }

  /** In the order of the log. */
  list(template: AnyTemplateDeclaration, limit: number): readonly AgendaRow[] {
    const kind = this.#kinds.numberOf(template);
    const known = this.#firsts.get(kind)?.get(limit);
    if (known !== undefined) return known;
    const rows = this.#readAll(this.#sql.list.all(kind, limit));
    if (rows.length <= MAX_REMEMBERED_LIST) {
      const firsts = this.#firsts.get(kind) ?? new Map<number, readonly AgendaRow[]>();
      this.#firsts.set(kind, firsts.set(limit, rows));
    }
    return rows;
  }

  /** The contracts with that key, in the order of the log. */
  listBy(
    template: AnyTemplateDeclaration,
    column: KeyColumn,
    key: bigint,
    limit: number,
  ): readonly AgendaRow[] {
    const kind = this.#kinds.numberOf(template);
    const known = this.#lists.get(`${kind} ${column} ${key}`);
    if (known !== undefined && known.length <= limit) return known;
    const rows = this.#readAll(this.#sql.listBy[column].all(kind, key, limit));
    if (rows.length < Math.min(limit, MAX_REMEMBERED_LIST)) this.#lists.set(`${kind} ${column} ${key}`, rows);
    return rows;
  }

  /** The contracts that fall due at that moment, in the order of the log. */
  listDueAt(template: AnyTemplateDeclaration, due: bigint, limit: number): readonly AgendaRow[] {
    return this.#readAll(this.#sql.listDueAt.all(this.#kinds.numberOf(template), due, limit));
  }

  /** Owners with more contracts than that. Reads all rows of the kind: only for the start. */
  listCrowdedOwners(template: AnyTemplateDeclaration, contracts: number, limit: number): readonly bigint[] {
    const rows = this.#sql.crowdedOwners.all(this.#kinds.numberOf(template), contracts, limit);
    return rows.map((row) => row["owner_key"] as bigint);
  }

  /** Rows that time has made due, the longest due first. */
  listDue(after: DuePlace, now: bigint, limit: number): readonly AgendaRow[] {
    const first = this.#findFirstDue();
    if (first === null || first > now) return [];
    return this.#readAll(this.#sql.listDue.all(after.due, after.created, now, limit));
  }

  /** Rows that wait for the SVs whatever the time, the oldest first. */
  listPending(after: bigint, limit: number): readonly AgendaRow[] {
    return this.#readAll(this.#sql.listPending.all(after, limit));
  }

  /** The owner's contracts wait no longer. */
  settle(template: AnyTemplateDeclaration, ownerKey: bigint): void {
    this.#sql.settle.run(this.#kinds.numberOf(template), ownerKey);
  }

  /** Sets the due time of all contracts of the kind to so long after their creation. */
  setDueAfterCreation(template: AnyTemplateDeclaration, microseconds: bigint): void {
    this.#sql.setDue.run(microseconds, this.#kinds.numberOf(template));
    this.reload();
  }

  findNextDue(now: bigint): bigint | null {
    const first = this.#findFirstDue();
    if (first === null || first > now) return first;
    return (this.#sql.nextDue.get(now)?.["due"] ?? null) as bigint | null;
  }

  findNextDueOf(template: AnyTemplateDeclaration, now: bigint): bigint | null {
    return (this.#sql.nextDueOf.get(this.#kinds.numberOf(template), now)?.["due"] ?? null) as bigint | null;
  }

  #findFirstDue(): bigint | null {
    if (this.#firstDue === undefined)
      this.#firstDue = (this.#sql.firstDue.get()?.["due"] ?? null) as bigint | null;
    return this.#firstDue;
  }

  #addDue(due: bigint | null): void {
    const first = this.#firstDue;
    if (due === null || first === undefined) return;
    if (first === null || due < first) this.#firstDue = due;
  }

  #forgetLists(row: AgendaRow, coinKey: bigint | null): void {
    const kind = this.#kinds.numberOf(row.template);
    const keys = { ...row, coinKey };
    for (const column of KEYS)
      if (keys[column] !== null) this.#lists.delete(`${kind} ${column} ${keys[column]}`);
    this.#firsts.delete(kind);
  }

  #readAll(rows: readonly Row[]): readonly AgendaRow[] {
    return rows.map((row) => this.#read(row) as AgendaRow);
  }

  #read(row: Row | undefined): AgendaRow | null {
    if (row === undefined) return null;
    return {
      created: row["created"] as bigint,
      contractId: row["contract_id"] as ContractId,
      template: this.#kinds.templateOf(row["kind"] as bigint),
      createdAt: row["created_at"] as Time,
      nameKey: row["name_key"] as bigint | null,
      referenceKey: row["reference_key"] as bigint | null,
      ownerKey: row["owner_key"] as bigint | null,
      confirmationKey: row["confirmation_key"] as bigint | null,
      round: row["round"] as bigint | null,
      due: row["due"] as bigint | null,
    };
  }
}

type Row = Record<string, SQLOutputValue>;

/** Template ids are long: rows name their kind by a number that the table gives out. */
class KindNumbers {
  readonly #numbers = new Map<AnyTemplateDeclaration, bigint>();
  readonly #templates = new Map<bigint, AnyTemplateDeclaration>();

  constructor(database: DatabaseSync) {
    const numbers = new Map<string, bigint>();
    // The index of texts may have changed on disk: a second number for a kind would hide the rows of the first.
    for (const { number, template } of database.prepare("select * from sv_kind not indexed").iterate())
      numbers.set(template as string, number as bigint);
    const insert = database.prepare(
      "insert into sv_kind (template) values (?) on conflict do nothing returning number",
    );
    for (const { template } of AGENDA_KINDS) {
      const number = numbers.get(template.id) ?? insert.get(template.id)?.["number"];
      if (number === undefined) throw new ReplicaDamaged(`the table sv_kind has lost ${template.id}`);
      this.#numbers.set(template, number as bigint);
      this.#templates.set(number as bigint, template);
    }
  }

  numberOf(template: AnyTemplateDeclaration): bigint {
    const number = this.#numbers.get(template);
    if (number === undefined) throw new Error(`${template.id} is no kind of the SV's agenda`);
    return number;
  }

  templateOf(number: bigint): AnyTemplateDeclaration {
    const template = this.#templates.get(number);
    if (template === undefined) throw new Error(`the SV's agenda has no kind ${number}`);
    return template;
  }
}

function prepare(database: DatabaseSync) {
  const statement = (sql: string): StatementSync => database.prepare(sql);
  const listBy = (column: string) =>
    statement(
      `select * from sv_agenda_row where kind = ? and ${column} = ? and ${column} is not null order by created limit +?`,
    );
  return {
    insert: statement("insert into sv_agenda_row values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    remove: statement("delete from sv_agenda_row where contract_key = ? and contract_id = ? returning *"),
    find: statement("select * from sv_agenda_row where created = ?"),
    findContract: statement("select * from sv_agenda_row where contract_key = ? and contract_id = ?"),
    list: statement("select * from sv_agenda_row where kind = ? order by created limit +?"),
    listBy: Object.fromEntries(
      Object.entries(KEY_COLUMNS).map(([key, column]) => [key, listBy(column)]),
    ) as Record<KeyColumn, StatementSync>,
    crowdedOwners: statement(
      "select owner_key from sv_agenda_row where kind = ? and owner_key is not null " +
        "group by owner_key having count(*) > ? limit +?",
    ),
    listDue: statement(
      "select * from sv_agenda_row where due is not null and (due, created) > (?, ?) and due <= ? " +
        "order by due, created limit +?",
    ),
    listDueAt: statement(
      "select * from sv_agenda_row where kind = ? and due = ? and due is not null order by created limit +?",
    ),
    listPending: statement(
      "select * from sv_agenda_row where pending = 1 and created > ? order by created limit +?",
    ),
    firstDue: statement("select min(due) as due from sv_agenda_row where due is not null"),
    nextDue: statement("select min(due) as due from sv_agenda_row where due is not null and due > ?"),
    nextDueOf: statement(
      "select min(due) as due from sv_agenda_row where kind = ? and due is not null and due > ?",
    ),
    settle: statement(
      "update sv_agenda_row set pending = 0 where kind = ? and owner_key = ? and owner_key is not null",
    ),
    setDue: statement("update sv_agenda_row set due = created_at + ? where kind = ?"),
  };
}
