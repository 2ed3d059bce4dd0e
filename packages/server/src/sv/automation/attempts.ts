/** What an SV remembers of the tasks it has seen, until they are gone. */
import { type Subject, subjectId } from "../agenda/subject.ts";
import type { Task } from "./task.ts";

export interface Attempt {
  task: Task;
  readonly subject: Subject;
  readonly seenAt: number;
  /** How many SVs come before this one. */
  readonly rank: number;
  inFlight: boolean;
  sentAt: number;
  failures: number;
  /** After a refusal: when to try again. */
  retryAt: number;
  /** Why it was refused the last time. */
  reason: string;
  /** Whether it was refused, and not yet seen if the work is still to be done. */
  unclear: boolean;
}

export class Attempts {
  readonly #byKey = new Map<string, Attempt>();
  readonly #bySubject = new Map<string, Set<string>>();
  #failing = 0;

  get size(): number {
    return this.#byKey.size;
  }

  /** How many of them have been refused before. */
  get failing(): number {
    return this.#failing;
  }

  find(taskKey: string): Attempt | undefined {
    return this.#byKey.get(taskKey);
  }

  hasSubject(id: string): boolean {
    return this.#bySubject.has(id);
  }

  listOf(subject: Subject): readonly Attempt[] {
    const keys = this.#bySubject.get(subjectId(subject)) ?? [];
    return [...keys].flatMap((key) => this.#byKey.get(key) ?? []);
  }

  all(): IterableIterator<Attempt> {
    return this.#byKey.values();
  }

  begin(subject: Subject, task: Task, seen: { readonly seenAt: number; readonly rank: number }): Attempt {
    const fresh = { inFlight: false, sentAt: 0, failures: 0, retryAt: 0, reason: "", unclear: false };
    const attempt: Attempt = { task, subject, ...seen, ...fresh };
    this.#byKey.set(task.key, attempt);
    const id = subjectId(subject);
    const keys = this.#bySubject.get(id);
    if (keys === undefined) this.#bySubject.set(id, new Set([task.key]));
    else keys.add(task.key);
    return attempt;
  }

  fail(attempt: Attempt, reason: string, retryAt: number): void {
    if (attempt.failures === 0) this.#failing++;
    attempt.failures++;
    attempt.reason = reason;
    attempt.retryAt = retryAt;
    attempt.unclear = true;
  }

  forget({ task, subject, failures }: Attempt): void {
    if (!this.#byKey.delete(task.key)) return;
    if (failures > 0) this.#failing--;
    const id = subjectId(subject);
    const keys = this.#bySubject.get(id);
    keys?.delete(task.key);
    if (keys?.size === 0) this.#bySubject.delete(id);
  }
}
