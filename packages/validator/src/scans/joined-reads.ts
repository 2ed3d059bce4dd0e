/**
 * Equal reads in flight are one. A caller that gives up leaves the others their answer; a read that nobody waits for any more
 * is told so.
 */
import { untilAborted } from "@callsign/node";

/** Whether anybody still waits for a read. */
export interface Interest {
  readonly isLost: boolean;
}

interface InFlight {
  readonly answer: Promise<unknown>;
  readonly interest: { isLost: boolean };
  callers: number;
}

export class JoinedReads {
  /** By key: as many as there are different reads in flight. */
  readonly #inFlight = new Map<string, InFlight>();

  /** Starts the read, unless one of the same key is in flight. Its interest is lost when no caller is left. */
  async join<T>(key: string, start: (interest: Interest) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const read = this.#inFlight.get(key) ?? this.#start(key, start);
    read.callers++;
    const answer = read.answer as Promise<T>;
    try {
      return await (signal === undefined ? answer : untilAborted(answer, signal));
    } finally {
      read.callers--;
      // A later caller asks anew instead of joining a read that has been given up.
      if (read.callers === 0 && this.#inFlight.get(key) === read) this.#abandon(key, read);
    }
  }

  #start<T>(key: string, start: (interest: Interest) => Promise<T>): InFlight {
    const interest = { isLost: false };
    const read: InFlight = { answer: start(interest), interest, callers: 0 };
    this.#inFlight.set(key, read);
    const forget = () => {
      if (this.#inFlight.get(key) === read) this.#inFlight.delete(key);
    };
    void read.answer.then(forget, forget);
    return read;
  }

  #abandon(key: string, { interest }: InFlight): void {
    this.#inFlight.delete(key);
    interest.isLost = true;
  }
}
