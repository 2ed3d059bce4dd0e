/**
 * Wallets that are installed while the validator runs: from then on their parties are followed like those of the start.
 * What does not succeed is tried again after a growing pause.
 */
import type { PartyId } from "@callsign/ledger";
import type { Log } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { withinDeadline } from "../waiting/deadline.ts";
import { pause } from "../waiting/pause.ts";

export interface LateWalletsParts {
  /** Parties with a wallet here that are not followed. */
  readonly listMissing: () => Promise<readonly PartyId[]>;
  /** Gives the validator the right to act for the party, and follows it. */
  readonly take: (party: PartyId) => Promise<void>;
  readonly log: Log;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 30_000;

export class LateWallets {
  readonly #parts: LateWalletsParts;
  readonly #closing = new AbortController();
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(parts: LateWalletsParts) {
    this.#parts = parts;
  }

  /** A wallet may have been installed. */
  look(): void {
    this.#again = true;
    this.#looking ??= this.#lookUntilNone().finally(() => {
      this.#looking = undefined;
    });
  }

  /** When those that are known of are followed, or could not be. */
  async idle(milliseconds: number): Promise<void> {
    await withinDeadline(this.#looking ?? Promise.resolve(), milliseconds).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
  }

  async #lookUntilNone(): Promise<void> {
    const { signal } = this.#closing;
    let wait = FIRST_PAUSE;
    while (this.#again && !signal.aborted) {
      this.#again = false;
      try {
        for (const party of await this.#parts.listMissing()) await this.#parts.take(party);
        wait = FIRST_PAUSE;
      } catch (error) {
        if (signal.aborted) return;
        this.#parts.log.warn(
          { error: describeError(error) },
          "a new wallet cannot be followed yet; trying again",
        );
        this.#again = true;
        await pause(wait, signal);
        wait = Math.min(2 * wait, LONGEST_PAUSE);
      }
    }
  }
}
