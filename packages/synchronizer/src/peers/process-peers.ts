/** The SVs of one process. Each joins when it starts, and leaves when it closes. */
import type { Peer, PeerSource } from "./peer.ts";

export class ProcessPeers implements PeerSource {
  readonly #peers = new Set<Peer>();
  readonly #listeners = new Set<(peers: readonly Peer[]) => void>();

  /** Returns a function by which it leaves. */
  join(peer: Peer): () => void {
    this.#peers.add(peer);
    this.#tell();
    return () => {
      if (this.#peers.delete(peer)) this.#tell();
    };
  }

  watch(listener: (peers: readonly Peer[]) => void): () => void {
    this.#listeners.add(listener);
    listener([...this.#peers]);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener([...this.#peers]);
  }
}
