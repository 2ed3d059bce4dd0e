/** The log in which a network of simulated members goes on, made from the rows of a replica. */

import { draftContinuation } from "../../packages/ledger/src/transition/draft-continuation.ts";
import type { Member } from "../../packages/ledger/src/transition/ledger-view.ts";
import {
  type Envelope,
  FIRST_PREVIOUS_HASH,
  hashLogEntry,
  type LogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import { type Time, time } from "../../packages/ledger/src/values/time.ts";
import { type MemberKey, memberKey } from "../../packages/ledger/testing/member-key.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { sign } from "../../packages/ledger/testing/transition-fixture.ts";
import { type CarriedHistory, exportState } from "../../packages/synchronizer/src/replica/export-state.ts";
import type { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";

/** A history of nothing. */
export const NO_HISTORY: CarriedHistory = { rounds: () => [], rewards: () => [] };

/** Signed with the first keys of simulated SVs, unless others are given. */
export function continueLog(
  state: SqliteState,
  history: CarriedHistory,
  given?: readonly MemberKey[],
): readonly LogEntry[] {
  const { head, network } = state;
  if (network === null) throw new Error("the log has no network");
  const parts = [...exportState(state, history)];
  const svs = network.svs.map((id) => state.findMember(id) as Member);
  const keys = given ?? network.svs.map((id) => memberKey(`${id.slice(0, id.indexOf("::"))} signing`));
  const value = draftContinuation({ head, network }, svs, parts.map(sha256));
  return chain([
    sign({ tag: "ContinueNetwork", value }, keys),
    ...parts.map((content) => ({ content, signatures: [] })),
  ]);
}

function chain(envelopes: readonly Envelope[], stampedAt: Time = time("2026-01-01T00:00:00Z")) {
  const entries: LogEntry[] = [];
  let previousHash = FIRST_PREVIOUS_HASH;
  for (const envelope of envelopes) {
    const entry = { ...envelope, sequence: entries.length + 1, previousHash, stampedAt };
    previousHash = hashLogEntry(sha256, entry);
    entries.push(entry);
  }
  return entries;
}
