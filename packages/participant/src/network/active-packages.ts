/**
 * The packages that the network's protocol version knows. Versions only grow: once the network has the latest one that this
 * program knows, it is not asked again.
 */
import type { Catalogue } from "@callsign/ledger";
import type { SequencerConnections } from "./sequencer-connections.ts";

export class ActivePackages {
  readonly #catalogue: Catalogue;
  readonly #connections: Pick<SequencerConnections, "current">;
  #active: Catalogue;

  constructor(catalogue: Catalogue, connections: Pick<SequencerConnections, "current">) {
    this.#catalogue = catalogue;
    this.#connections = connections;
    this.#active = catalogue.at(0n);
  }

  /** The packages of the last version that was heard of, if the network does not answer. */
  async read(): Promise<Catalogue> {
    if (this.#active === this.#catalogue) return this.#active;
    const version = await this.#connections.current.findProtocolVersion();
    if (version !== null) this.#active = this.#catalogue.at(version);
    return this.#active;
  }
}
