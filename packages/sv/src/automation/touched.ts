/**
 * Subjects that have changed and are to be looked at, each once, in the order in which they changed. Those that have
 * tasks already are apart, so that they are found while there is no room for more tasks, however many others wait.
 */
import type { Subject } from "../agenda/subject.ts";

const MAX_TOUCHED = 50_000;

export class Touched {
  readonly #known = new Map<string, Subject>();
  readonly #others = new Map<string, Subject>();

  get size(): number {
    return this.#known.size + this.#others.size;
  }

  /** Whether it could be remembered. */
  add(id: string, subject: Subject, hasTasks: boolean): boolean {
    const subjects = hasTasks ? this.#known : this.#others;
    if (subjects.size >= MAX_TOUCHED) return false;
    subjects.set(id, subject);
    return true;
  }

  /** The next one; of those with tasks if no others are wanted. */
  take(withTasks: boolean): Subject | null {
    return takeFirst(this.#known) ?? (withTasks ? null : takeFirst(this.#others));
  }
}

function takeFirst(subjects: Map<string, Subject>): Subject | null {
  for (const [id, subject] of subjects) {
    subjects.delete(id);
    return subject;
  }
  return null;
}
