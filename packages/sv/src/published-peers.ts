/** The SVs of other processes, at the URLs of their sequencers that they publish on the ledger. */
import { DsoRules, SvNodeState } from "@callsign/ledger";
import { listSequencers, type ScanIndex } from "@callsign/scan";
import type { HttpPeer, Peer, PeerSource, Replica } from "@callsign/synchronizer";

export interface PublishedPeersParts {
  readonly replica: Replica;
  readonly index: ScanIndex;
  readonly openPeer: (id: string, url: string) => HttpPeer;
}

/** Contracts that name the SVs and their URLs. */
const KINDS: ReadonlySet<string> = new Set([DsoRules.id, SvNodeState.id]);

export class PublishedPeers implements PeerSource {
  readonly #parts: PublishedPeersParts;
  #peers: readonly HttpPeer[] = [];

  constructor(parts: PublishedPeersParts) {
    this.#parts = parts;
  }

  watch(listener: (peers: readonly Peer[]) => void): () => void {
    const look = () => {
      this.#peers = this.#list();
      listener(this.#peers);
    };
    look();
    return this.#parts.replica.onApplied((outcomes) => {
      const created = outcomes.flatMap((outcome) => outcome.created);
      if (created.some(({ contract }) => KINDS.has(contract.templateId))) look();
    });
  }

  /** An SV that has not moved stays the same peer. */
  #list(): readonly HttpPeer[] {
    return listPublished(this.#parts).map(({ id, url }) => {
      const known = this.#peers.find((peer) => peer.id === id && peer.url === url);
      return known ?? this.#parts.openPeer(id, url);
    });
  }
}

/** The SVs that have published a sequencer's URL under the network's migration id. */
export function listPublished({
  replica,
  index,
}: Pick<PublishedPeersParts, "replica" | "index">): readonly { readonly id: string; readonly url: string }[] {
  const { network } = replica.state;
  if (network === null) return [];
  const listed = listSequencers(index.contracts).get(network.synchronizerId) ?? [];
  return listed.filter(
    ({ id, migrationId }) => network.svs.includes(id) && migrationId === network.migrationId,
  );
}
