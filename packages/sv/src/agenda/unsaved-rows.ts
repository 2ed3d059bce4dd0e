/** Rows of the agenda that are not in its table yet, in the order of the log. There are few, and all are looked through. */
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

  get size(): number {
    return this.#rows.size;
  }

  add(unsaved: UnsavedRow): void {
    this.#rows.set(unsaved.row.contractId, unsaved);
  }

  /** Takes it out. */
  take(contractId: ContractId): UnsavedRow | undefined {
    const unsaved = this.#rows.get(contractId);
    this.#rows.delete(contractId);
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
    for (const { row } of this.#rows.values()) if (row.due !== null && row.due <= now) return true;
    return false;
  }

  /** The first time at which one of them is due, or that other time if it is earlier. */
  earliestDue(other: bigint | null): bigint | null {
    let first = other;
    for (const { row } of this.#rows.values()) first = earlier(first, row.due);
    return first;
  }

  clear(): void {
    this.#rows.clear();
  }
}
