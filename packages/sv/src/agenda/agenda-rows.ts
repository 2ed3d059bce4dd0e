/** The rows of the agenda, found by their keys, by the time they are due, and by waiting for the SVs. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { AnyTemplateDeclaration, Contract, ContractId, Time } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import { contractIdColumns, readKeptId } from "@callsign/synchronizer";
import type { AgendaColumns, AgendaRow, KeyColumn } from "../kinds/agenda-kind.ts";
import { contractKey } from "../kinds/keys.ts";
import { MAX_UNSAVED_ROWS, REMEMBERED_LISTS, REMEMBERED_ROWS } from "../limits/limits.ts";
import { AGENDA_KEYS, prepareAgendaStatements } from "./agenda-table.ts";
import { KindNumbers } from "./kind-numbers.ts";
import { earlier, UnsavedRows } from "./unsaved-rows.ts";

/** Longer lists are read each time. */
const MAX_REMEMBERED_LIST = 10;

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

/**
 * New rows wait in memory for the end of the replica's transaction: a contract that is gone by then is never written. Rows
 * stay in memory while they last, because each is asked for several times: the agenda alone writes to its table.
 */
export class AgendaRows {
  readonly #kinds: KindNumbers;
  readonly #sql: ReturnType<typeof prepareAgendaStatements>;
  readonly #unsaved = new UnsavedRows();
  readonly #rows = new BoundedMap<bigint, AgendaRow>({ limit: REMEMBERED_ROWS });
  /** By kind, column and key: all rows with that key. */
  readonly #lists = new BoundedMap<string, readonly AgendaRow[]>({ limit: REMEMBERED_LISTS });
  /** By kind and limit: the oldest rows of the kind. */
  readonly #firsts = new Map<bigint, Map<number, readonly AgendaRow[]>>();
  /** By kind: whether the table has any of it. */
  readonly #stored = new Map<bigint, boolean>();
  /** The first time at which any row of the table is due, null if none is; undefined if it has to be read. */
  #firstStoredDue: bigint | null | undefined;

  constructor(database: DatabaseSync) {
    this.#kinds = new KindNumbers(database);
    this.#sql = prepareAgendaStatements(database);
  }

  /** Drops what is in memory, after rows were rolled back. */
  reload(): void {
    this.#unsaved.clear();
    this.#rows.clear();
    this.#lists.clear();
    this.#firsts.clear();
    this.#stored.clear();
    this.#firstStoredDue = undefined;
  }

  /** Writes the new rows, in the caller's transaction. */
  save(): void {
    for (const { row, pending } of this.#unsaved.list()) {
      const { created, contractId, createdAt, due } = row;
      const kind = this.#kinds.numberOf(row.template);
      const { contract_id: text, id_bytes: bytes } = contractIdColumns(contractId);
      this.#sql.insert.run(
        ...[created, contractKey(contractId), text, kind, createdAt],
        ...[row.nameKey, row.referenceKey, row.coinKey, row.ownerKey, row.confirmationKey, row.round],
        ...[due, pending ? 1n : 0n, bytes],
      );
      this.#unsaved.take(contractId);
      this.#stored.set(kind, true);
      if (this.#firstStoredDue !== undefined) this.#firstStoredDue = earlier(this.#firstStoredDue, due);
    }
  }

  /** Rows come in the order of the log. */
  insert({ created, contract, template, coinKey, columns }: NewRow): AgendaRow {
    const { contractId, createdAt } = contract;
    const { nameKey = null, referenceKey = null, ownerKey = null, confirmationKey = null } = columns;
    const { round = null, due = null, pending = false } = columns;
    const keys = { nameKey, referenceKey, coinKey, ownerKey, confirmationKey, round };
    const row = { created, contractId, template, createdAt, ...keys, due };
    this.#unsaved.add({ row, pending });
    this.#changeLists(row, (rows) => (rows.length < MAX_REMEMBERED_LIST ? [...rows, row] : null));
    this.#rows.set(created, row);
    if (this.#unsaved.size >= MAX_UNSAVED_ROWS) this.save();
    return row;
  }

  remove(contractId: ContractId): AgendaRow | null {
    const row = this.#unsaved.take(contractId)?.row ?? this.#removeStored(contractId);
    if (row === null) return null;
    this.#changeLists(row, (rows) => rows.filter(({ created }) => created !== row.created));
    this.#rows.delete(row.created);
    return row;
  }

  find(created: bigint): AgendaRow | null {
    const known = this.#rows.get(created) ?? this.#unsaved.find(created);
    if (known !== undefined) return known;
    const row = this.#read(this.#sql.find.get(created));
    if (row !== null) this.#rows.set(created, row);
    return row;
  }

  findContract(contractId: ContractId): AgendaRow | null {
    const unsaved = this.#unsaved.findContract(contractId);
    return unsaved ?? this.#read(this.#sql.findContract.get(contractKey(contractId), contractId));
  }

  /** In the order of the log. */
  list(template: AnyTemplateDeclaration, limit: number): readonly AgendaRow[] {
    const kind = this.#kinds.numberOf(template);
    const known = this.#firsts.get(kind)?.get(limit);
    if (known !== undefined) return known;
    const stored = this.#hasStored(kind) ? this.#readAll(this.#sql.list.all(kind, limit)) : [];
    const rows = [...stored, ...this.#unsaved.listOf(template)].slice(0, limit);
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
    const id = listId(kind, column, key);
    const known = this.#lists.get(id);
    if (known !== undefined && known.length <= limit) return known;
    const stored = this.#hasStored(kind) ? this.#readAll(this.#sql.listBy[column].all(kind, key, limit)) : [];
    const unsaved = this.#unsaved.listOf(template).filter((row) => row[column] === key);
    const rows = [...stored, ...unsaved].slice(0, limit);
    if (rows.length < Math.min(limit, MAX_REMEMBERED_LIST)) this.#lists.set(id, rows);
    return rows;
  }

  /** The contracts that fall due at that moment, in the order of the log. */
  listDueAt(template: AnyTemplateDeclaration, due: bigint, limit: number): readonly AgendaRow[] {
    this.save();
    return this.#readAll(this.#sql.listDueAt.all(this.#kinds.numberOf(template), due, limit));
  }

  /** Owners with more contracts than that. Reads all rows of the kind: only for the start. */
  listCrowdedOwners(template: AnyTemplateDeclaration, contracts: number, limit: number): readonly bigint[] {
    this.save();
    const rows = this.#sql.crowdedOwners.all(this.#kinds.numberOf(template), contracts, limit);
    return rows.map((row) => row["owner_key"] as bigint);
  }

  /** Rows that time has made due, the longest due first. */
  listDue(after: DuePlace, now: bigint, limit: number): readonly AgendaRow[] {
    const first = this.#findFirstDue();
    if (first === null || first > now) return [];
    if (this.#unsaved.isAnyDueBy(now)) this.save();
    return this.#readAll(this.#sql.listDue.all(after.due, after.created, now, limit));
  }

  /** Rows that wait for the SVs whatever the time, the oldest first. */
  listPending(after: bigint, limit: number): readonly AgendaRow[] {
    this.save();
    return this.#readAll(this.#sql.listPending.all(after, limit));
  }

  /** The owner's contracts wait no longer. */
  settle(template: AnyTemplateDeclaration, ownerKey: bigint): void {
    this.save();
    this.#sql.settle.run(this.#kinds.numberOf(template), ownerKey);
  }

  /** Sets the due time of all contracts of the kind to so long after their creation. */
  setDueAfterCreation(template: AnyTemplateDeclaration, microseconds: bigint): void {
    this.save();
    this.#sql.setDue.run(microseconds, this.#kinds.numberOf(template));
    this.reload();
  }

  findNextDue(now: bigint): bigint | null {
    const first = this.#findFirstDue();
    if (first === null || first > now) return first;
    if (this.#unsaved.isAnyDueBy(now)) this.save();
    return this.#unsaved.earliestDue((this.#sql.nextDue.get(now)?.["due"] ?? null) as bigint | null);
  }

  findNextDueOf(template: AnyTemplateDeclaration, now: bigint): bigint | null {
    this.save();
    return (this.#sql.nextDueOf.get(this.#kinds.numberOf(template), now)?.["due"] ?? null) as bigint | null;
  }

  #removeStored(contractId: ContractId): AgendaRow | null {
    const row = this.#read(this.#sql.remove.get(contractKey(contractId), contractId));
    if (row === null) return null;
    // It may be the last of its kind, and another row may be due at the same time.
    this.#stored.delete(this.#kinds.numberOf(row.template));
    if (row.due === this.#firstStoredDue) this.#firstStoredDue = undefined;
    return row;
  }

  #hasStored(kind: bigint): boolean {
    let has = this.#stored.get(kind);
    if (has === undefined) {
      has = this.#sql.list.get(kind, 1) !== undefined;
      this.#stored.set(kind, has);
    }
    return has;
  }

  #findFirstDue(): bigint | null {
    if (this.#firstStoredDue === undefined)
      this.#firstStoredDue = (this.#sql.firstDue.get()?.["due"] ?? null) as bigint | null;
    return this.#unsaved.earliestDue(this.#firstStoredDue);
  }

  /** Changes the lists in memory that have the row, or get it. Null: the list is too long to be kept. */
  #changeLists(row: AgendaRow, change: (rows: readonly AgendaRow[]) => readonly AgendaRow[] | null): void {
    const kind = this.#kinds.numberOf(row.template);
    this.#firsts.delete(kind);
    for (const column of AGENDA_KEYS) {
      const key = row[column];
      if (key === null) continue;
      const id = listId(kind, column, key);
      const known = this.#lists.get(id);
      if (known === undefined) continue;
      const changed = change(known);
      if (changed === null) this.#lists.delete(id);
      else this.#lists.set(id, changed);
    }
  }

  #readAll(rows: readonly Row[]): readonly AgendaRow[] {
    return rows.map((row) => this.#read(row) as AgendaRow);
  }

  #read(row: Row | undefined): AgendaRow | null {
    if (row === undefined) return null;
    return {
      created: row["created"] as bigint,
      contractId: readKeptId(row),
      template: this.#kinds.templateOf(row["kind"] as bigint),
      createdAt: row["created_at"] as Time,
      nameKey: row["name_key"] as bigint | null,
      referenceKey: row["reference_key"] as bigint | null,
      coinKey: row["coin_key"] as bigint | null,
      ownerKey: row["owner_key"] as bigint | null,
      confirmationKey: row["confirmation_key"] as bigint | null,
      round: row["round"] as bigint | null,
      due: row["due"] as bigint | null,
    };
  }
}

function listId(kind: bigint, column: KeyColumn, key: bigint): string {
  return `${kind} ${column} ${key}`;
}

type Row = Record<string, SQLOutputValue>;
