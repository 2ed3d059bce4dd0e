/**
 * The traffic that is kept for top-ups: while no more bought traffic than this is left, operations of low priority are
 * refused. Without top-ups nothing is reserved.
 */
import { formatParticipantId } from "@callsign/ledger";
import type { Host } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { TRAFFIC_CACHE_MILLISECONDS } from "../limits/limits.ts";
import { CachedRead } from "../scans/cached-read.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";

export class TrafficReserve {
  /** Null: nothing is reserved. */
  readonly #reserved: bigint | null;
  readonly #left: CachedRead<number>;

  constructor(
    reserved: bigint | null,
    parts: { readonly facts: NetworkFacts; readonly participant: ParticipantClient; readonly host: Host },
  ) {
    const { facts, participant, host } = parts;
    this.#reserved = reserved;
    this.#left = new CachedRead(
      async () => {
        const { configSchedule } = await facts.coinRules();
        const { activeSynchronizer } = configSchedule.initialValue.decentralizedSynchronizer;
        return facts.extraTraffic(activeSynchronizer, formatParticipantId(await participant.participantId()));
      },
      TRAFFIC_CACHE_MILLISECONDS,
      host.clock,
    );
  }

  /** Throws while the reserve is touched. Scans that cannot tell refuse nothing. */
  async require(): Promise<void> {
    if ((await this.#findShortage()) === null) return;
    // More may have been bought since it was read.
    this.#left.drop();
    const left = await this.#findShortage();
    if (left !== null)
      throw new ValidatorError({ kind: "traffic-reserved", left, reserved: Number(this.#reserved) });
  }

  /** The bytes that are left if they are too few; null if there are enough, or nobody can tell. */
  async #findShortage(): Promise<number | null> {
    if (this.#reserved === null) return null;
    const left = await this.#left.get().catch(() => null);
    return left === null || BigInt(left) > this.#reserved ? null : left;
  }
}
