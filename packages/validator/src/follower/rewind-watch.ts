/**
 * Watches a participant whose ledger has become shorter than the copy: it may have been restored from a backup, and be
 * reading the rest again. It is waited for while it moves on, for a bounded time.
 */
export interface RewindPatience {
  /** Without a step forward. */
  readonly stillMilliseconds: number;
  readonly totalMilliseconds: number;
}

interface Rewind {
  readonly since: number;
  readonly end: number;
  readonly movedAt: number;
}

export class RewindWatch {
  readonly #patience: RewindPatience;
  #rewind: Rewind | null = null;

  constructor(patience: RewindPatience) {
    this.#patience = patience;
  }

  get isRewound(): boolean {
    return this.#rewind !== null;
  }

  /** The participant's ledger ends there, before the copy's offset. Returns true once its time is over. */
  observe(end: number, now: number): boolean {
    const before = this.#rewind;
    const hasMoved = before === null || end > before.end;
    const rewind = { since: before?.since ?? now, end, movedAt: hasMoved ? now : before.movedAt };
    this.#rewind = rewind;
    const { stillMilliseconds, totalMilliseconds } = this.#patience;
    return now - rewind.movedAt >= stillMilliseconds || now - rewind.since >= totalMilliseconds;
  }

  clear(): void {
    this.#rewind = null;
  }
}
