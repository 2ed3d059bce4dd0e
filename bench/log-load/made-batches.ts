/** Batches of a log, chained as a sequencer chains them. Their entries are as long as a transfer's. */
import { sha256 } from "@callsign/node";
import type { LogBatch, LogHead } from "@callsign/synchronizer";
import {
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";

const CONTENT = "x".repeat(1500);
const SIGNATURE = { publicKey: "ab".repeat(32), signature: "cd".repeat(64) };

export class MadeBatches {
  #head: LogHead = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };

  /** The next batches, behind those made before. */
  make(count: number, size: number): readonly LogBatch[] {
    return Array.from({ length: count }, () => this.#batch(size));
  }

  #batch(size: number): LogBatch {
    const after = this.#head;
    const entries = Array.from({ length: size }, () => {
      const entry: LogEntry = {
        sequence: this.#head.sequence + 1,
        previousHash: this.#head.entryHash,
        stampedAt: 1_700_000_000_000_000n as Time,
        content: `${this.#head.sequence} ${CONTENT}`,
        signatures: [SIGNATURE],
      };
      this.#head = { sequence: entry.sequence, entryHash: hashLogEntry(sha256, entry) };
      return formatLogEntry(entry);
    });
    return { after, head: this.#head, entries };
  }
}
