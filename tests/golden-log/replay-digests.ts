/** Applies a log to an empty replica, with every signature checked, and gives its digests. */
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { createEngine } from "../../packages/ledger/src/engine/interpret.ts";
import { SUPPORTED_VERSIONS } from "../../packages/ledger/src/transition/limits.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { createTransition, type Transition } from "../../packages/ledger/src/transition/transition.ts";
import { verifyEd25519 } from "../../packages/ledger/testing/member-key.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { DIGEST_INTERVAL, type GoldenDigests } from "./golden-file.ts";

export function newTransition(supportedVersions: readonly bigint[] = SUPPORTED_VERSIONS): Transition {
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  return createTransition({ engine, verify: verifyEd25519, supportedVersions });
}

export function replayDigests(
  log: readonly LogEntry[],
  watch: (outcome: Outcome, entry: LogEntry) => void = () => undefined,
  supportedVersions?: readonly bigint[],
): GoldenDigests {
  const state = new MemoryState();
  const transition = newTransition(supportedVersions);
  const digests: Record<string, string> = {};
  for (const entry of log) {
    const outcome = transition.apply(entry, state);
    watch(outcome, entry);
    state.absorb(outcome);
    if (entry.sequence % DIGEST_INTERVAL === 0) digests[entry.sequence] = outcome.head.digest;
  }
  return { entries: log.length, digests, final: state.head.digest };
}
