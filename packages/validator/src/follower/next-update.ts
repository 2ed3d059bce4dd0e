/** Waits at the participant for the next update. */
import { onAbort } from "@callsign/node";
import { formatOf } from "../ledger/event-formats.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { toUpdatePage, type UpdatePage, type UpdatePlace } from "../ledger/update-page.ts";
import { UPDATE_CALL_MILLISECONDS, UPDATE_WAIT_MILLISECONDS } from "../limits/limits.ts";

export class NextUpdate {
  readonly #participant: ParticipantClient;
  #wait = new AbortController();

  /** `closing` ends the wait as well. */
  constructor(participant: ParticipantClient, closing: AbortSignal) {
    this.#participant = participant;
    onAbort(closing, () => this.interrupt());
  }

  /** The first update ends the wait; the next page holds the updates that came with it. */
  async wait({ parties, after }: UpdatePlace): Promise<UpdatePage> {
    const { signal } = this.#wait;
    try {
      signal.throwIfAborted();
      const updates = await this.#participant.client.listUpdates(
        {
          query: { limit: 1n, stream_idle_timeout_ms: BigInt(UPDATE_WAIT_MILLISECONDS) },
          body: { beginExclusive: after, updateFormat: formatOf(parties) },
        },
        { signal, timeoutMilliseconds: UPDATE_CALL_MILLISECONDS },
      );
      return toUpdatePage(updates, after);
    } catch (error) {
      if (!signal.aborted) throw error;
      return toUpdatePage([], after);
    } finally {
      if (signal.aborted) this.#wait = new AbortController();
    }
  }

  /** Ends the wait for the next update; the one that is about to begin if there is none. */
  interrupt(): void {
    this.#wait.abort();
  }
}
