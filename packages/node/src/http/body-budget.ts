/**
 * The memory that large bodies take on one port. Each body is bounded by its API; all together are bounded here, from
 * the bytes that have arrived until the answer is written. Callers who have not shown a valid token share a part of
 * it by their address, so that nobody can hold the whole of it without one. Small bodies do not count.
 */
import { MAX_BODY_BYTES_AT_ONCE, SMALL_BODY_BYTES, STRANGERS_PART } from "./limits.ts";

export class BodyBudget {
  readonly #max: number;
  readonly #maxOfAddress: number;
  #taken = 0;
  readonly #takenByAddress = new Map<string, number>();

  constructor(max = MAX_BODY_BYTES_AT_ONCE) {
    this.#max = max;
    this.#maxOfAddress = max / STRANGERS_PART;
  }

  /** The memory of one body; the address is that of a caller without a token, and null for any other. */
  open(address: string | null): BodyMemory {
    let received = 0;
    let counted = 0;
    return {
      receive: (bytes) => {
        received += bytes;
        if (received <= SMALL_BODY_BYTES) return true;
        const more = received - counted;
        if (!this.#hasRoom(more, counted, address)) return false;
        this.#take(more, address);
        counted = received;
        return true;
      },
      release: () => {
        this.#take(-counted, address);
        counted = 0;
      },
    };
  }

  /** A body alone may be larger than everything: its API judges it. */
  #hasRoom(bytes: number, ofTheSame: number, address: string | null): boolean {
    if (this.#taken > ofTheSame && this.#taken + bytes > this.#max) return false;
    const taken = address === null ? 0 : (this.#takenByAddress.get(address) ?? 0);
    return address === null || taken === ofTheSame || taken + bytes <= this.#maxOfAddress;
  }

  #take(bytes: number, address: string | null): void {
    this.#taken += bytes;
    if (address === null) return;
    const taken = (this.#takenByAddress.get(address) ?? 0) + bytes;
    if (taken > 0) this.#takenByAddress.set(address, taken);
    else this.#takenByAddress.delete(address);
  }
}

export interface BodyMemory {
  /** False if there is no room for the bytes. */
  readonly receive: (bytes: number) => boolean;
  readonly release: () => void;
}
