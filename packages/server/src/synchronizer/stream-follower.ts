/**
 * Hands out a member's stream: at once where there is something, otherwise as soon as there is. Who waits is also
 * answered when the network's clock was moved: members hear from here what time it is.
 */
import { MAX_FOLLOW_ITEMS, MAX_FOLLOW_MILLISECONDS } from "@callsign/api";
import type { MemberStreams, StreamRow } from "./member-streams.ts";
import type { Replica } from "./replica.ts";

const MAX_WAITING = 5000;

export class TooManyFollowers extends Error {
  override readonly name = "TooManyFollowers";
}

export interface Wanted {
  readonly member: string;
  readonly after: number;
  readonly limit: number;
  readonly waitMilliseconds: number;
  readonly signal: AbortSignal;
}

export class StreamFollower {
  readonly #replica: Replica;
  readonly #streams: MemberStreams;
  readonly #waiting = new Set<() => void>();
  readonly #stopListening: () => void;

  constructor(replica: Replica, streams: MemberStreams) {
    this.#replica = replica;
    this.#streams = streams;
    this.#stopListening = replica.onApplied(() => {
      for (const look of this.#waiting) look();
    });
  }

  async follow(wanted: Wanted): Promise<readonly StreamRow[]> {
    const { member, after } = wanted;
    if (wanted.waitMilliseconds > 0 && this.#streams.end(member).offset <= after) await this.#more(wanted);
    return this.#streams.page(member, after, Math.min(Math.max(wanted.limit, 1), MAX_FOLLOW_ITEMS));
  }

  /** Answers those who wait. */
  close(): void {
    this.#stopListening();
    for (const look of this.#waiting) look();
  }

  #more({ member, after, waitMilliseconds, signal }: Wanted): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw new TooManyFollowers("too many members wait: try again");
    const clockOffset = this.#replica.state.network?.clockOffset;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const look = () => {
        const moved = this.#replica.state.network?.clockOffset !== clockOffset;
        if (moved || this.#streams.end(member).offset > after) finish();
      };
      const timer = setTimeout(finish, Math.min(waitMilliseconds, MAX_FOLLOW_MILLISECONDS));
      this.#waiting.add(look);
      signal.addEventListener("abort", finish, { once: true });
    });
  }
}
