/**
 * Parties that other participants host. The participant asks for the part of the topology that a caller wants, and keeps
 * the parties on which f + 1 sequencers agree. Its own namespace it knows from its stream. While too few sequencers answer,
 * callers get the parties that are known so far (decision 0019).
 */
import { MAX_TOPOLOGY_PARTIES } from "@callsign/api";
import { KeyedQueue, type MemberIdentity } from "@callsign/node";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import type { PartyPage, PartyStore } from "../store/party-store.ts";

interface NetworkPartiesParts {
  readonly identity: MemberIdentity;
  readonly parties: PartyStore;
  readonly connections: Pick<SequencerConnections, "current">;
}

/** Callers that wait for each other, so that memory holds the answers to one question. */
const TOPOLOGY = "topology";

export class NetworkParties {
  readonly #parts: NetworkPartiesParts;
  readonly #queue = new KeyedQueue();

  constructor(parts: NetworkPartiesParts) {
    this.#parts = parts;
  }

  /** Resolves when the store has the parties of a page, as far as sequencers tell them. */
  learnPage(page: PartyPage, signal: AbortSignal): Promise<void> {
    return this.#queue.run(TOPOLOGY, async () => {
      let { after } = page;
      for (let left = page.limit; left > 0 && !signal.aborted; left -= MAX_TOPOLOGY_PARTIES) {
        const last = await this.#learnPart({ ...page, after, limit: Math.min(left, MAX_TOPOLOGY_PARTIES) });
        if (last === null) return;
        after = last;
      }
    });
  }

  /** Resolves when the store has those of the parties that exist, as far as sequencers tell them. */
  async learn(parties: readonly string[], signal: AbortSignal): Promise<void> {
    const unknown: string[] = [];
    for (const party of parties) {
      const isKnown = this.#isOwn(party) || (await this.#parts.parties.find(party)) !== undefined;
      if (!isKnown) unknown.push(party);
    }
    if (unknown.length === 0) return;
    await this.#queue.run(TOPOLOGY, async () => {
      if (signal.aborted) return;
      const agreed = await this.#parts.connections.current.findParties(unknown);
      if (agreed !== null) await this.#parts.parties.addOthers([...agreed.parties]);
    });
  }

  /** Returns the last party of the part; null if there is no more to ask for. */
  async #learnPart(part: PartyPage): Promise<string | null> {
    const { parties, connections } = this.#parts;
    const known = await parties.listIds(part);
    const agreed = await connections.current.listParties(part, known);
    if (agreed === null) return null;
    const had = new Set(known);
    const others = [...agreed.parties].filter((party) => !had.has(party) && !this.#isOwn(party));
    await parties.addOthers(others);
    const now = [...known, ...others].sort().slice(0, part.limit);
    const isFull = now.length === part.limit;
    return agreed.isComplete && isFull ? (now.at(-1) ?? null) : null;
  }

  #isOwn(party: string): boolean {
    return party.endsWith(`::${this.#parts.identity.namespace}`);
  }
}
