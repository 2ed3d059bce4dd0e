/**
 * Entries of small worlds. A history is a string with one letter an entry, so that an entry is named by all entries up to it.
 * Bytes, hashes and links are real, and so are the items that participants get.
 */
import { sha256 } from "@callsign/node";
import {
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import {
  type DeliveredItem,
  STREAM_START,
} from "../../packages/participant/src/agreement/stream-agreement.ts";
import type { LogHead } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { chainStreamDigest } from "../../packages/synchronizer/src/streams/stream-item.ts";

/** Computes each value once. */
export function remember<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

const entryAt = remember(
  (history): LogEntry => ({
    sequence: history.length,
    previousHash: headOf(history.slice(0, -1)).entryHash,
    stampedAt: BigInt(history.length) as Time,
    content: `an entry of ${history.at(-1)}`,
    signatures: [],
  }),
);

/** The last entry of a history. */
export const headOf = remember((history): LogHead => {
  if (history === "") return { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };
  return { sequence: history.length, entryHash: hashLogEntry(sha256, entryAt(history)) };
});

export const bytesOf = remember((history) => formatLogEntry(entryAt(history)));

/** The stream of a participant to which every entry is an item. */
export const itemsOf = remember((history): readonly DeliveredItem[] => {
  if (history === "") return [];
  const before = itemsOf(history.slice(0, -1));
  const body = bytesOf(history);
  const offset = history.length;
  const previous = before.at(-1)?.digest ?? STREAM_START.digest;
  return [
    ...before,
    { offset, body, digest: chainStreamDigest(sha256, previous, offset, body), cause: null },
  ];
});

/** True if one of the histories is the beginning of the other. */
export function agree(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Every beginning of a history, itself included, without the empty one. */
export function beginningsOf(history: string): readonly string[] {
  return Array.from(history, (_, i) => history.slice(0, i + 1));
}
