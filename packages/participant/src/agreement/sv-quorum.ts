/**
 * The network's SVs, and how many of them must say the same (decision 0062), by the number of SVs on the ledger, not of
 * configured URLs. History takes their quorum, `requiredConfirmations`; a fact that one honest SV may tell takes one SV more
 * than may be faulty.
 *
 * A threshold that the operator has set counts instead of the quorum, also below it.
 */
import { requiredConfirmations, toleratedFaults } from "@callsign/ledger";

export class SvQuorum {
  readonly #urls: number;
  readonly #threshold: number | null;
  #svs: ReadonlySet<string> | null = null;

  constructor({ urls, threshold }: { readonly urls: number; readonly threshold: number | null }) {
    this.#urls = urls;
    this.#threshold = threshold;
  }

  /** The SVs from now on: those of the network's first entry, or of an attested change behind it. */
  adopt(svs: readonly string[]): void {
    this.#svs = new Set(svs);
  }

  /** Null until the network's SVs are known. */
  get svs(): ReadonlySet<string> | null {
    return this.#svs;
  }

  /** The SVs that must deliver the same item. Nothing is enough until the SVs are known. */
  get history(): number {
    if (this.#svs === null) return Number.POSITIVE_INFINITY;
    return this.#threshold ?? requiredConfirmations(this.#svs.size);
  }

  /** The SVs among which one is honest. */
  get voices(): number {
    return Math.min(
      toleratedFaults(this.#svs?.size ?? Math.max(this.#urls, 1)) + 1,
      this.#threshold ?? Number.POSITIVE_INFINITY,
    );
  }

  /**
   * The SVs that must serve a network of so many SVs before an unknown one is joined. A liar may offer a small network of
   * its own: of the configured URLs one more than may be faulty must serve it.
   */
  toJoin(svs: number): number {
    return (
      this.#threshold ?? Math.max(requiredConfirmations(svs), toleratedFaults(Math.max(this.#urls, 1)) + 1)
    );
  }

  /** The addresses that may belong to SVs. */
  get reachable(): number {
    return Math.min(this.#urls, this.#svs?.size ?? this.#urls);
  }

  /** The quorum, if the operator's threshold is below it; null if it is not, or the SVs are unknown. */
  get undercut(): number | null {
    if (this.#svs === null || this.#threshold === null) return null;
    const quorum = requiredConfirmations(this.#svs.size);
    return this.#threshold < quorum ? quorum : null;
  }
}
