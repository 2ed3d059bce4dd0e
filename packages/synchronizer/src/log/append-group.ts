/** Batches that wait at the same moment, and what the log says to each. */
import type { Appended, LogBatch, LogHead } from "./ordered-log.ts";

export interface WaitingBatch {
  readonly batch: LogBatch;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupPlan {
  /** They fit one behind the other. */
  readonly fitting: readonly WaitingBatch[];
  /** The others, with the head that each of them meets. */
  readonly refused: readonly { readonly waiting: WaitingBatch; readonly head: LogHead }[];
}

/** Takes the oldest batches off the queue: as many as have so many characters together, and at least one. */
export function takeGroup(waiting: WaitingBatch[], mostCharacters: number): readonly WaitingBatch[] {
  let count = 0;
  let characters = 0;
  for (const { batch } of waiting) {
    characters += batch.entries.reduce((sum, { length }) => sum + length, 0);
    if (count > 0 && characters > mostCharacters) break;
    count++;
  }
  return waiting.splice(0, count);
}

/** Decides in the order in which the batches came. A null term is any. */
export function planGroup(
  group: readonly WaitingBatch[],
  present: { readonly head: LogHead; readonly term: string | null },
): GroupPlan {
  const fitting: WaitingBatch[] = [];
  const refused: { waiting: WaitingBatch; head: LogHead }[] = [];
  let { head } = present;
  for (const waiting of group) {
    const { after, term = present.term } = waiting.batch;
    if (isSameHead(after, head) && term === present.term) {
      fitting.push(waiting);
      head = waiting.batch.head;
    } else refused.push({ waiting, head });
  }
  return { fitting, refused };
}

export function isSameHead(a: LogHead, b: LogHead): boolean {
  return a.sequence === b.sequence && a.entryHash === b.entryHash;
}
