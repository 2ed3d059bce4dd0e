/** Rows of the agenda that are not in its table yet, in the order of the log. There are few, and most questions look through all of them. */
import type { AnyTemplateDeclaration, ContractId } from "@callsign/ledger";
import type { AgendaRow } from "../kinds/agenda-kind.ts";

export interface UnsavedRow {
  readonly row: AgendaRow;
  readonly pending: boolean;
}

/** Null is later than every time. */
export function earlier(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export class UnsavedRows {
  readonly #rows = new Map<ContractId, UnsavedRow>();
  /** The first time at which one is due, which is asked for most; undefined if it is to be found again. */
  #firstDue: bigint | null | undefined = null;

  get size(): number {
    return this.#rows.size;
  }

  add(unsaved: UnsavedRow): void {
    this.#rows.set(unsaved.row.contractId, unsaved);
    if (this.#firstDue !== undefined) this.#firstDue = earlier(this.#firstDue, unsaved.row.due);
  }

  /** Takes it out. */
  take(contractId: ContractId): UnsavedRow | undefined {
    const unsaved = this.#rows.get(contractId);
    this.#rows.delete(contractId);
    if (unsaved !== undefined && unsaved.row.due === this.#firstDue) this.#firstDue = undefined;
    return unsaved;
  }

  find(created: bigint): AgendaRow | undefined {
    for (const { row } of this.#rows.values()) if (row.created === created) return row;
    return undefined;
  }

  findContract(contractId: ContractId): AgendaRow | undefined {
    return this.#rows.get(contractId)?.row;
  }

  list(): Iterable<UnsavedRow> {
    return this.#rows.values();
  }

  listOf(template: AnyTemplateDeclaration): readonly AgendaRow[] {
    const rows: AgendaRow[] = [];
    for (const { row } of this.#rows.values()) if (row.template === template) rows.push(row);
    return rows;
  }

  isAnyDueBy(now: bigint): boolean {
    const due = this.earliestDue(null);
    return due !== null && due <= now;
  }

  /** The first time at which one of them is due, or that other time if it is earlier. */
  earliestDue(other: bigint | null): bigint | null {
    if (this.#firstDue === undefined) this.#firstDue = this.#findFirstDue();
    return earlier(this.#firstDue, other);
  }

  clear(): void {
    this.#rows.clear();
    this.#firstDue = null;
  }

  #findFirstDue(): bigint | null {
    let first: bigint | null = null;
    for (const { row } of this.#rows.values()) first = earlier(first, row.due);
    return first;
  }
}
