/**
 * Goes through subjects that time has made due, and through those that wait, a few rows at a time: each row once, until
 * rules or rounds change. Rows that come up behind it are changed subjects. Piles are listed at the beginning.
 */
import type { Agenda } from "../agenda/agenda.ts";
import type { DuePlace } from "../agenda/agenda-rows.ts";
import type { AgendaRow } from "../kinds/agenda-kind.ts";
import { subjectsOf } from "../kinds/agenda-kinds.ts";
import { type Subject, subjectId } from "../kinds/subject.ts";
import { SWEEP_PAGE } from "../limits/limits.ts";

const FIRST = -(2n ** 62n);
const BEGIN: DuePlace = { due: FIRST, created: FIRST };

export class Sweep {
  readonly #agenda: Agenda;
  readonly #listPiles: () => readonly Subject[];
  #hasListedPiles = false;
  #due: DuePlace = BEGIN;
  /** Null: all pending rows have been seen. */
  #pending: bigint | null = FIRST;
  #subjects: Subject[] = [];

  constructor(agenda: Agenda, listPiles: () => readonly Subject[]) {
    this.#agenda = agenda;
    this.#listPiles = listPiles;
  }

  restartPending(): void {
    this.#pending = FIRST;
  }

  restart(): void {
    this.#pending = FIRST;
    this.#due = BEGIN;
    this.#hasListedPiles = false;
  }

  /** Null: there is nothing more for now. */
  next(): Subject | null {
    if (!this.#hasListedPiles) {
      this.#subjects.push(...this.#listPiles());
      this.#hasListedPiles = true;
    }
    while (this.#subjects.length === 0) {
      const rows = this.#nextRows();
      if (rows.length === 0) return null;
      const subjects = new Map(rows.flatMap(subjectsOf).map((subject) => [subjectId(subject), subject]));
      this.#subjects = [...subjects.values()].reverse();
    }
    return this.#subjects.pop() ?? null;
  }

  #nextRows(): readonly AgendaRow[] {
    const { rows, now } = this.#agenda;
    if (this.#pending !== null) {
      const pending = rows.listPending(this.#pending, SWEEP_PAGE);
      this.#pending = pending.at(-1)?.created ?? null;
      if (pending.length > 0) return pending;
    }
    const due = rows.listDue(this.#due, now, SWEEP_PAGE);
    const last = due.at(-1);
    if (last !== undefined && last.due !== null) this.#due = { due: last.due, created: last.created };
    return due;
  }
}
