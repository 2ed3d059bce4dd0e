/**
 * Goes through what time has made due, and through what waits, a few rows at a time: each row once, until rules or
 * rounds change. What comes up behind it is touched when it is written. What has piled up is found at the beginning.
 */
import type { Agenda } from "../agenda/agenda.ts";
import type { AgendaRow, DuePlace } from "../agenda/agenda-rows.ts";
import { type Subject, subjectId, subjectsOf } from "../agenda/subject.ts";

const PAGE = 64;
const FIRST = -(2n ** 62n);
const BEGIN: DuePlace = { due: FIRST, created: FIRST };

export class Sweep {
  readonly #agenda: Agenda;
  readonly #listPiles: () => readonly Subject[];
  #hasSeenPiles = false;
  #due: DuePlace = BEGIN;
  /** Null: all that waits has been seen. */
  #pending: bigint | null = FIRST;
  #subjects: Subject[] = [];

  constructor(agenda: Agenda, listPiles: () => readonly Subject[]) {
    this.#agenda = agenda;
    this.#listPiles = listPiles;
  }

  /** What waits is to be seen again. */
  seePending(): void {
    this.#pending = FIRST;
  }

  seeAll(): void {
    this.#pending = FIRST;
    this.#due = BEGIN;
    this.#hasSeenPiles = false;
  }

  /** Null: there is nothing more for now. */
  next(): Subject | null {
    if (!this.#hasSeenPiles) {
      this.#subjects.push(...this.#listPiles());
      this.#hasSeenPiles = true;
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
      const pending = rows.listPending(this.#pending, PAGE);
      this.#pending = pending.at(-1)?.created ?? null;
      if (pending.length > 0) return pending;
    }
    const due = rows.listDue(this.#due, now, PAGE);
    const last = due.at(-1);
    if (last !== undefined && last.due !== null) this.#due = { due: last.due, created: last.created };
    return due;
  }
}
