/**
 * The log's first entry, which began the network: members learn from it who the SVs are. It is read from the log when it is
 * first asked for, and never changes.
 */
import { type Beginning, beginningOf, type Hash, parseLogEntry, readBeginning } from "@callsign/ledger";
import { LogTrimmed, type OrderedLog } from "../log/ordered-log.ts";

export class FirstEntry {
  readonly #log: Pick<OrderedLog, "follow">;
  readonly #hash: Hash;
  #beginning: Beginning | null = null;

  constructor(parts: { readonly log: Pick<OrderedLog, "follow">; readonly hash: Hash }) {
    this.#log = parts.log;
    this.#hash = parts.hash;
  }

  /** Null if the log no longer has the entry that began this network. */
  async find(network: string, signal: AbortSignal): Promise<Beginning | null> {
    this.#beginning ??= await this.#read(signal);
    const isIts = this.#beginning !== null && readBeginning(this.#hash, this.#beginning)?.id === network;
    return isIts ? this.#beginning : null;
  }

  async #read(signal: AbortSignal): Promise<Beginning | null> {
    const only = new AbortController();
    try {
      for await (const { entries } of this.#log.follow(0, AbortSignal.any([signal, only.signal]))) {
        only.abort();
        const entry = parseLogEntry(entries[0] ?? "");
        if (entry.ok) return beginningOf(entry.value);
      }
    } catch (error) {
      if (!(error instanceof LogTrimmed)) throw error;
    }
    return null;
  }
}
