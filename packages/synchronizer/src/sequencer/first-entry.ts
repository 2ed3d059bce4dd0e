/**
 * The log's first entry, which began the network: members learn from it who the SVs are. It is read from the log when it is
 * first asked for, and never changes. A log that is trimmed keeps it apart.
 */
import { type Beginning, beginningOf, type Hash, parseLogEntry, readBeginning } from "@callsign/ledger";
import type { OrderedLog } from "../log/ordered-log.ts";
import { readFirstEntry } from "../log/read-first-entry.ts";

export class FirstEntry {
  readonly #log: OrderedLog;
  readonly #hash: Hash;
  #beginning: Beginning | null = null;

  constructor(parts: { readonly log: OrderedLog; readonly hash: Hash }) {
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
    const entry = parseLogEntry((await readFirstEntry(this.#log, signal)) ?? "");
    return entry.ok ? beginningOf(entry.value) : null;
  }
}
