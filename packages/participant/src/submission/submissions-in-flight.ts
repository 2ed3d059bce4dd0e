/**
 * The submissions in flight: each command once, a number in all, and a share of it for each user; fewer while the network is slow
 * because it has too much to do.
 */

import { ledgerError } from "@callsign/ledger";
import { type Clock, LedgerFailure } from "@callsign/node";
import { UserQuota } from "../access/user-quota.ts";
import { MAX_SUBMISSIONS, MAX_SUBMISSIONS_PER_USER } from "../limits/limits.ts";
import { failWith } from "../requests/identifiers.ts";
import { SubmissionPace } from "./submission-pace.ts";

interface InFlight {
  /** The same for every submission of a command. */
  readonly key: string;
  readonly commandId: string;
  readonly userId: string;
}

/** A submission's place among those in flight. */
export interface Place {
  /** Call when the submission has taken effect. */
  readonly done: () => void;
  readonly leave: () => void;
}

export class SubmissionsInFlight {
  readonly #clock: Clock;
  readonly #pace: SubmissionPace;
  readonly #commands = new Set<string>();
  readonly #perUser = new UserQuota(MAX_SUBMISSIONS_PER_USER, "submissions");

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new SubmissionPace(clock);
  }

  get size(): number {
    return this.#commands.size;
  }

  /** Throws if there is room for no submission at all. */
  checkRoom(userId: string | null): void {
    if (this.size >= MAX_SUBMISSIONS)
      refuse(`${MAX_SUBMISSIONS} submissions are under way: try again in a second`, userId);
    const { room, milliseconds } = this.#pace;
    if (this.size < room) return;
    const cause =
      `${this.size} submissions are under way, and one takes ${Math.round(milliseconds)} ms at present: ` +
      "more would only wait. Try again in a second";
    refuse(cause, userId);
  }

  /** Throws if there is no room, also if the user has its share. */
  enter({ key, commandId, userId }: InFlight): Place {
    if (this.#commands.has(key)) {
      const cause = `Command ${commandId} is being submitted already: wait for its answer`;
      failWith("SUBMISSION_ALREADY_IN_FLIGHT", cause);
    }
    this.checkRoom(userId);
    const giveBack = this.#perUser.take(userId);
    this.#commands.add(key);
    const [underWay, begun] = [this.size, this.#clock.elapsedMilliseconds()];
    return {
      done: () => this.#pace.observe({ underWay, milliseconds: this.#clock.elapsedMilliseconds() - begun }),
      leave: () => {
        this.#commands.delete(key);
        giveBack();
      },
    };
  }
}

/** The log names the user, who may not be looked up yet. */
function refuse(cause: string, userId: string | null): never {
  const reason = userId === null ? undefined : `asked for by ${userId}`;
  throw new LedgerFailure(ledgerError("PARTICIPANT_BACKPRESSURE", cause), {}, reason);
}
