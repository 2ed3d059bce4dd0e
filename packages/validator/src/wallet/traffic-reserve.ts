/**
 * The traffic that is kept for top-ups: while no more bought traffic than this is left, operations of low priority are
 * refused. Without top-ups nothing is reserved.
 */
import { formatParticipantId } from "@callsign/ledger";
import { CachedRead, type Host } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { TRAFFIC_CACHE_MILLISECONDS } from "../limits/limits.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";

interface TrafficParts {
  readonly facts: NetworkFacts;
  readonly participant: ParticipantClient;
}

export class TrafficReserve {
  /** The reserved bytes; null if nothing is reserved. */
  readonly #reserved: bigint | null;
  readonly #left: CachedRead<{ readonly bytes: number }>;

  constructor(reserved: bigint | null, parts: TrafficParts & { readonly host: Host }) {
    this.#reserved = reserved;
    this.#left = new CachedRead(() => readTraffic(parts), TRAFFIC_CACHE_MILLISECONDS, parts.host.clock);
  }

  /** Throws while no more than the reserve is left. If scans do not answer, nothing is refused. */
  async require(): Promise<void> {
    if (this.#reserved === null) return;
    const left = await this.#left.get().catch(() => null);
    if (left === null || BigInt(left.bytes) > this.#reserved) return;
    throw new ValidatorError({
      kind: "traffic-reserved",
      left: left.bytes,
      reserved: Number(this.#reserved),
    });
  }

  /** Call after a purchase: the remaining traffic is read anew. */
  drop(): void {
    this.#left.drop();
  }
}

/** The participant as a member, and the bytes left of the traffic that was bought for it. */
export async function readTraffic({ facts, participant }: TrafficParts) {
  const { configSchedule } = (await facts.coinRules()).payload;
  const { activeSynchronizer } = configSchedule.initialValue.decentralizedSynchronizer;
  const member = formatParticipantId(await participant.participantId());
  return { member, bytes: await facts.extraTraffic(activeSynchronizer, member) };
}
