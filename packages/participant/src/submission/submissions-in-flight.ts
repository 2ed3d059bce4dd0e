/** The submissions in flight: each command once, a number in all, and a share of it for each user. */

import { UserQuota } from "../access/user-quota.ts";
import { MAX_SUBMISSIONS, MAX_SUBMISSIONS_PER_USER } from "../limits/limits.ts";
import { failWith } from "../requests/identifiers.ts";

interface InFlight {
  /** The same for every submission of a command. */
  readonly key: string;
  readonly commandId: string;
  readonly userId: string;
}

export class SubmissionsInFlight {
  readonly #commands = new Set<string>();
  readonly #perUser = new UserQuota(MAX_SUBMISSIONS_PER_USER, "submissions");

  get size(): number {
    return this.#commands.size;
  }

  /** Throws if there is no room. Returns a function that leaves again. */
  enter({ key, commandId, userId }: InFlight): () => void {
    if (this.#commands.has(key)) {
      const cause = `Command ${commandId} is being submitted already: wait for its answer`;
      failWith("SUBMISSION_ALREADY_IN_FLIGHT", cause);
    }
    if (this.#commands.size >= MAX_SUBMISSIONS) {
      const cause = `${MAX_SUBMISSIONS} submissions are under way: try again in a second`;
      failWith("PARTICIPANT_BACKPRESSURE", cause);
    }
    const giveBack = this.#perUser.take(userId);
    this.#commands.add(key);
    return () => {
      this.#commands.delete(key);
      giveBack();
    };
  }
}
