/** The calls of one port that wait for their answers. A call that is answered at once is never among them. */

export class Calls {
  readonly #open = new Map<CallEnd, Promise<void>>();

  get count(): number {
    return this.#open.size;
  }

  /** Counts a call until its work, which has begun, has ended. */
  wait(end: CallEnd, work: Promise<void>): Promise<void> {
    const done = work.finally(() => {
      end.finish();
      this.#open.delete(end);
    });
    this.#open.set(end, done);
    return done;
  }

  /** Aborts every call, and waits until they have ended. */
  async close(): Promise<void> {
    for (const end of this.#open.keys()) end.abort();
    await Promise.allSettled(this.#open.values());
  }
}

/** Ends a call early. Its signal is made when it is first asked for: most calls have ended before. */
export class CallEnd {
  #controller: AbortController | null = null;
  #isAborted = false;
  #isFinished = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The work has ended: there is nothing left to abort when its connection closes. */
  finish(): void {
    this.#isFinished = true;
  }

  abort(): void {
    if (this.#isFinished) return;
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
