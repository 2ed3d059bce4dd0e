/**
 * Long polls of members' streams: answered at once if there are new items, otherwise with the next one. Moving the
 * network's clock answers waiting calls too, because members learn the time from the answers.
 */
import { MAX_FOLLOW_ITEMS, MAX_FOLLOW_MILLISECONDS } from "@callsign/api";
import { type Host, onAbort, type Timers } from "@callsign/node";
import { MAX_WAITING_FOLLOWERS, MAX_WAITING_FOLLOWERS_OF_MEMBER } from "../limits/limits.ts";
import type { Replica } from "../replica/replica.ts";
import type { DeliveredRow, MemberStreams } from "./member-streams.ts";

export class TooManyFollowers extends Error {
  override readonly name = "TooManyFollowers";
}

export interface Wanted {
  readonly member: string;
  readonly after: number;
  readonly limit: number;
  readonly waitMilliseconds: number;
  /** Digests alone if false. */
  readonly bodies: boolean;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly member: string;
  /** Finishes if there is something to answer. */
  readonly look: () => void;
  readonly finish: () => void;
}

export class StreamFollower {
  readonly #replica: Replica;
  readonly #streams: MemberStreams;
  /** The oldest first. */
  readonly #waiting = new Set<Waiting>();
  readonly #timers: Timers;
  readonly #stopListening: () => void;
  #closed = false;

  constructor(replica: Replica, streams: MemberStreams, { timers }: Host) {
    this.#timers = timers;
    this.#replica = replica;
    this.#streams = streams;
    this.#stopListening = replica.onApplied(() => {
      for (const { look } of this.#waiting) look();
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async follow(wanted: Wanted): Promise<readonly DeliveredRow[]> {
    const { member, after } = wanted;
    if (wanted.waitMilliseconds > 0 && this.#streams.end(member).offset <= after) await this.#more(wanted);
    const limit = Math.min(Math.max(wanted.limit, 1), MAX_FOLLOW_ITEMS);
    return wanted.bodies
      ? this.#streams.page(member, after, limit)
      : this.#streams.digestPage(member, after, limit);
  }

  /** Answers waiting calls, and later calls at once. */
  close(): void {
    this.#closed = true;
    this.#stopListening();
    for (const { finish } of this.#waiting) finish();
  }

  async #more(wanted: Wanted): Promise<void> {
    if (this.#closed || wanted.signal.aborted) return;
    this.#makeRoom(wanted.member);
    await this.#wait(wanted);
  }

  /** A member with too many waiting calls gets its oldest one answered. */
  #makeRoom(member: string): void {
    const own = [...this.#waiting].filter((each) => each.member === member);
    if (own.length >= MAX_WAITING_FOLLOWERS_OF_MEMBER) own[0]?.finish();
    else if (this.#waiting.size >= MAX_WAITING_FOLLOWERS)
      throw new TooManyFollowers("too many members wait: try again");
  }

  #wait({ member, after, waitMilliseconds, signal }: Wanted): Promise<void> {
    const clockOffset = this.#replica.state.network?.clockOffset;
    return new Promise((resolve) => {
      const finish = () => {
        this.#timers.clear(timer);
        this.#waiting.delete(waiting);
        stopListening();
        resolve();
      };
      const look = () => {
        const moved = this.#replica.state.network?.clockOffset !== clockOffset;
        if (moved || this.#streams.end(member).offset > after) finish();
      };
      const waiting = { member, look, finish };
      const timer = this.#timers.set(finish, Math.min(waitMilliseconds, MAX_FOLLOW_MILLISECONDS));
      this.#waiting.add(waiting);
      const stopListening = onAbort(signal, finish);
    });
  }
}
