/**
 * The memory that large bodies take on one port. Each body is bounded by its API; all together are bounded here, from
 * the bytes that have arrived until the answer is written. Callers who have not shown a valid token have a part of it
 * together, and each address a part of that, so that nobody can hold the whole of it without a token. Small bodies do not
 * count.
 */
import {
  ADDRESS_PART,
  CHUNK_BYTES,
  MAX_BODY_BYTES_AT_ONCE,
  SMALL_BODY_BYTES,
  STRANGERS_PART,
} from "./limits.ts";

export class BodyBudget {
  readonly #max: number;
  #taken = 0;
  #takenByStrangers = 0;
  readonly #takenByAddress = new Map<string, number>();

  constructor(max = MAX_BODY_BYTES_AT_ONCE) {
    this.#max = max;
  }

  /** The memory of one body; the address is that of a caller without a token, and null for any other. */
  open(address: string | null): BodyMemory {
    let received = 0;
    let counted = 0;
    return {
      receive: (bytes) => {
        received += bytes + CHUNK_BYTES;
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
    const fits = (taken: number, max: number) => taken === ofTheSame || taken + bytes <= max;
    if (address === null || !fits(this.#taken, this.#max)) return fits(this.#taken, this.#max);
    const ofAddress = this.#takenByAddress.get(address) ?? 0;
    return (
      fits(this.#takenByStrangers, this.#max / STRANGERS_PART) &&
      fits(ofAddress, this.#max / STRANGERS_PART / ADDRESS_PART)
    );
  }

  #take(bytes: number, address: string | null): void {
    this.#taken += bytes;
    if (address === null) return;
    this.#takenByStrangers += bytes;
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
