/**
 * Subjects that have changed, each once, in the order in which they changed. Subjects with known tasks stand apart, so
 * that they are found while there is no room for more tasks.
 */
import { SUBJECT_LIMITS } from "./limits.ts";

export class ChangedSubjects<S> {
  readonly #withTasks = new Map<string, S>();
  readonly #others = new Map<string, S>();

  get size(): number {
    return this.#withTasks.size + this.#others.size;
  }

  /** False if there is no room to remember it. */
  add(id: string, subject: S, hasTasks: boolean): boolean {
    const subjects = hasTasks ? this.#withTasks : this.#others;
    if (subjects.size >= SUBJECT_LIMITS.changedSubjects) return false;
    subjects.set(id, subject);
    return true;
  }

  /** Takes the next one; null if there is none. */
  take(onlyWithTasks: boolean): S | null {
    return takeFirst(this.#withTasks) ?? (onlyWithTasks ? null : takeFirst(this.#others));
  }
}

function takeFirst<S>(subjects: Map<string, S>): S | null {
  for (const [id, subject] of subjects) {
    subjects.delete(id);
    return subject;
  }
  return null;
}
