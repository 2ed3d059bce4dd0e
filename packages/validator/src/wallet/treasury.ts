/**
 * Runs the coin-changing operations of one party one after the other, so that no two compete for the same coins.
 * Operations of users come before those of automations, except that after many in a row an automation has its turn. A
 * full queue refuses.
 */
import { KeyedQueue } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { MAX_QUEUED, MAX_QUEUED_BY_AUTOMATIONS, MAX_USERS_IN_A_ROW } from "../limits/limits.ts";

export type Asker = "user" | "automation";

export class Treasury {
  readonly #queue = new KeyedQueue({ maxUrgentInARow: MAX_USERS_IN_A_ROW });

  /** True while an operation waits or runs. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  async run<T>(party: string, work: () => Promise<T>, asker: Asker = "user"): Promise<T> {
    const urgency = asker === "user" ? "urgent" : "ordinary";
    const limit = asker === "user" ? MAX_QUEUED : MAX_QUEUED_BY_AUTOMATIONS;
    if (this.#queue.count(party, urgency) >= limit) throw new ValidatorError({ kind: "queue-full", limit });
    return await this.#queue.run(party, work, urgency);
  }

  /** Resolves when all operations that wait or run now have ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
