/**
 * The log of a network that real clients used over HTTP, shown entry by entry to the simulation's auditor: every
 * invariant after every entry, and sums that owe nothing to the network's own indexes.
 */

import type { Head } from "../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { Auditor } from "../simulation/audit/auditor.ts";

export interface Audit {
  readonly auditor: Auditor;
  readonly head: Head;
}

const READ_MILLISECONDS = 60_000;

export interface AuditOptions {
  /** The protocol versions of the log; those of this release if omitted. */
  readonly versions?: readonly bigint[];
  /** Sees each entry after the auditor. */
  readonly watch?: (entry: LogEntry, outcome: Outcome) => void;
  readonly milliseconds?: number;
}

export async function auditLog(log: OrderedLog, options: AuditOptions = {}): Promise<Audit> {
  const { versions, watch, milliseconds = READ_MILLISECONDS } = options;
  const transition = newTransition(versions);
  const state = new MemoryState();
  const auditor = new Auditor();
  const { sequence: last } = await log.head();
  const reading = new AbortController();
  const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(milliseconds)]);
  for await (const page of log.follow(0, signal)) {
    for (const bytes of page.entries) {
      const entry = expectParsed(parseLogEntry(bytes));
      const outcome = transition.apply(entry, state);
      state.absorb(outcome);
      auditor.observe(entry, outcome);
      watch?.(entry, outcome);
    }
    if (state.head.sequence >= last) reading.abort();
  }
  if (state.head.sequence < last)
    throw new Error(`the log was read to ${state.head.sequence} of ${last} only`);
  auditor.compare(state);
  return { auditor, head: state.head };
}
