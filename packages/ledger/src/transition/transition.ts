/**
 * The one function a replica applies: an entry and the state before it give the outcome, and nothing else does.
 * It is pure and synchronous; the hash and the check of signatures are handed in. Every outcome's digest chains
 * to the one before it, so two replicas compare in one number.
 */

import type { Engine } from "../engine/interpret.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import type { Hash } from "../values/hash.ts";
import { utf8Length } from "../values/text.ts";
import type { Time } from "../values/time.ts";
import { applyMemberEntry } from "./apply-member-entry.ts";
import type { Stamp } from "./backed-time.ts";
import type { ContinueNetwork } from "./continuation-content.ts";
import { cannotContinue, continueNetwork } from "./continue-network.ts";
import { chainDigest } from "./digest.ts";
import { type EntryContent, isLaterEntry } from "./entry-content.ts";
import { foundNetwork } from "./found-network.ts";
import { importState, maxBytesOf } from "./import-state.ts";
import type { Verify } from "./key.ts";
import type { Change, LedgerView } from "./ledger-view.ts";
import { SUPPORTED_VERSIONS } from "./limits.ts";
import { hashLogEntry, type LogEntry, verifiedKeys } from "./log-entry.ts";
import { isBackedTime } from "./network-beginning.ts";
import {
  type CarriedTotals,
  type Completion,
  NO_EFFECTS,
  type Outcome,
  rejected,
  type Verdict,
} from "./outcome.ts";
import { readContent } from "./read-content.ts";
import { continuedTime, effectiveTime, timeAfter } from "./record-time.ts";
import { ReplicaHalt } from "./replica-halt.ts";

export interface Transition {
  readonly apply: (entry: LogEntry, view: LedgerView) => Outcome;
}

export interface TransitionParts {
  readonly engine: Engine;
  readonly verify: Verify;
  readonly supportedVersions?: readonly bigint[];
}

interface Decided {
  readonly verdict: Verdict;
  readonly completion: Completion | null;
}

export function createTransition({
  engine,
  verify,
  supportedVersions = SUPPORTED_VERSIONS,
}: TransitionParts): Transition {
  const parts = { engine, verify, supportedVersions };
  return {
    apply: (given, view) => {
      checkChain(given, view);
      const { entry, contentHash, entryHash, bytes, content } = readEntry(given, view, engine.hash);
      const { now, stamp } = effectiveTime(entry, view, verify);
      const { verdict, completion } = decide(parts, { entry, view, content, contentHash, bytes, now });
      const recordTime = timeAfter(entry, content, verdict, now);
      const stampedBy = stamp?.sv ?? null;
      const digest = chainDigest(engine.hash, { view, entryHash, recordTime, stampedBy, verdict });
      const effects = verdict.kind === "accepted" ? verdict.effects : NO_EFFECTS;
      return {
        head: { sequence: entry.sequence, entryHash, digest, recordTime },
        verdict,
        created: effects.created,
        archived: effects.archived,
        changes: changesOf(stamp, verdict),
        completion,
        imported: verdict.kind === "accepted" ? totalsOf(content) : null,
      };
    },
  };
}

interface ReadEntry {
  readonly entry: LogEntry;
  readonly contentHash: string;
  readonly entryHash: string;
  readonly bytes: number;
  readonly content: EntryContent | LedgerError;
}

function readEntry(given: LogEntry, view: LedgerView, hash: Hash): ReadEntry {
  // An entry is its bytes: what UTF-8 cannot write must not count otherwise in memory than after a replay.
  const entry = { ...given, content: given.content.toWellFormed() };
  const contentHash = hash(entry.content);
  const entryHash = hashLogEntry(hash, entry, contentHash);
  const bytes = utf8Length(entry.content);
  const content = readContent(entry, bytes, maxBytesOf(view, contentHash));
  return { entry, contentHash, entryHash, bytes, content };
}

/** A stamp counts whatever becomes of the entry. Changes of the entry come behind it: an activation sets all stamps. */
function changesOf(stamp: Stamp | null, verdict: Verdict): readonly Change[] {
  const changes = verdict.kind === "ignored" ? [] : verdict.changes;
  return stamp === null ? changes : [{ kind: "stamp", ...stamp }, ...changes];
}

function checkChain(entry: LogEntry, { head }: LedgerView): void {
  if (entry.sequence !== head.sequence + 1) {
    throw new ReplicaHalt(`entry ${entry.sequence} was offered where ${head.sequence + 1} follows`);
  }
  if (entry.previousHash !== head.entryHash) {
    throw new ReplicaHalt(
      `entry ${entry.sequence} follows an entry with hash ${entry.previousHash}, but the one applied here has ${head.entryHash}`,
    );
  }
}

interface Given {
  readonly entry: LogEntry;
  readonly view: LedgerView;
  readonly content: EntryContent | LedgerError;
  readonly contentHash: string;
  readonly bytes: number;
  readonly now: Time;
}

function decide(parts: Required<TransitionParts>, given: Given): Decided {
  const { entry, view, content, contentHash: seed, now } = given;
  const none = (verdict: Verdict): Decided => ({ verdict, completion: null });
  if ("code" in content) return none(rejected(content));
  // Programs of earlier versions cannot read it.
  if (isLaterEntry(content) && !(view.network !== null && isBackedTime(view.network)))
    return none(rejected(ledgerError("INVALID_ARGUMENT", "The entry is of a later protocol version")));
  // Parts are known by their hash: they need no signatures.
  if (content.tag === "ImportState")
    return none(importState({ ...parts, view, part: content.value, seed, now }));
  if (content.tag === "ContinueNetwork") return none(decideContinuation(parts, given, content.value));
  const keys = verifiedKeys(entry, parts.verify);
  if (keys === null) {
    return none(rejected(ledgerError("UNAUTHENTICATED", "A signature of the entry does not hold")));
  }
  if (content.tag !== "FoundNetwork") {
    return applyMemberEntry({ ...parts, view, content, keys, seed, now, bytes: BigInt(given.bytes) });
  }
  if (view.network !== null) {
    return none(rejected(ledgerError("INVALID_ARGUMENT", "The network is founded already")));
  }
  return none(foundNetwork({ ...parts, entry: content.value, seed, now, keys }));
}

/** A log is founded or continued once, and with its first entry. */
function decideContinuation(
  { engine, verify, supportedVersions }: Required<TransitionParts>,
  { entry, view, contentHash: seed, now: given }: Given,
  continuation: ContinueNetwork,
): Verdict {
  if (view.head.sequence > 0) return cannotContinue("this log has begun already");
  const keys = verifiedKeys(entry, verify);
  if (keys === null) return cannotContinue("a signature of the entry does not hold");
  const now = continuedTime(entry.stampedAt ?? given, continuation);
  return continueNetwork({ hash: engine.hash, supportedVersions, entry: continuation, seed, now, keys });
}

function totalsOf(content: EntryContent | LedgerError): CarriedTotals | null {
  return "tag" in content && content.tag === "ImportState" ? content.value : null;
}
