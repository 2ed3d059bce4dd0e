/** SVs with copies of a log, as `restoreLog` asks them: real copies, keys and signatures. */
import { sha256, systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import type { LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { OwnPeer } from "../../packages/synchronizer/src/peers/own-peer.ts";
import type { Peer } from "../../packages/synchronizer/src/peers/peer.ts";
import { AppliedHeads } from "../../packages/synchronizer/src/replica/applied-heads.ts";
import {
  type RestoreOutcome,
  type RestoreParts,
  restoreLog,
} from "../../packages/synchronizer/src/restore/restore-log.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { appendAll } from "./log-entries.ts";
import { openStreamReplica } from "./stream-replica.ts";

export const NETWORK = "5e".repeat(32);

export interface CopyHolder {
  readonly id: string;
  readonly peer: Peer;
  readonly copy: SqliteLog;
}

export async function logOf(...batches: readonly LogBatch[]): Promise<SqliteLog> {
  const log = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => log.close());
  await appendAll(log, batches);
  return log;
}

/** `sv-1`, `sv-2`, … with these copies. */
export async function holdersOf(...copies: readonly (readonly LogBatch[])[]): Promise<readonly CopyHolder[]> {
  const holders: CopyHolder[] = [];
  // Copies are shown whatever a replica has applied: all of them share one.
  const node = openStreamReplica({ log: await logOf() });
  onTestFinished(() => node.close());
  const heads = new AppliedHeads(node.replica);
  for (const [i, batches] of copies.entries()) {
    const copy = await logOf(...batches);
    const { id, signingKey } = identityNamed(`sv-${i + 1}`);
    const peer = new OwnPeer({
      ...{ id, copy, heads, network: () => NETWORK },
      signingKey: () => signingKey,
      enterTerm: async () => undefined,
      tick: () => Promise.reject(new Error("no ticks here")),
    });
    holders.push({ id, peer, copy });
  }
  return holders;
}

export interface Restoring extends Partial<Omit<RestoreParts, "log">> {
  readonly log: OrderedLog;
  readonly holders: readonly CopyHolder[];
  /** Names of SVs. */
  readonly lost?: readonly string[];
  readonly kept?: readonly (readonly [number, string])[];
  readonly waits?: number;
}

/** Restores beside the first SV. */
export function restore(given: Restoring): Promise<RestoreOutcome> {
  const { holders, lost = [], kept = [], waits = 0, ...more } = given;
  const checks = new SignatureChecks();
  const [own, ...others] = holders as [CopyHolder, ...CopyHolder[]];
  const keys = new Map(
    holders.map(({ id }, i) => [id, identityNamed(`sv-${i + 1}`).signingKey.publicKey] as const),
  );
  return restoreLog({
    own: { ids: [own.id], copy: own.copy, enterTerm: () => undefined },
    others: others.map(({ peer }) => peer),
    svs: holders.map(({ id }) => id),
    network: NETWORK,
    holds: (sv, message, { publicKey, signature }) =>
      keys.get(sv) === publicKey && checks.verify(publicKey, message, signature),
    words: { lost: new Set(lost.map((name) => identityNamed(name).id)), kept: new Map(kept) },
    appends: true,
    patience: AbortSignal.timeout(waits),
    ...{ hash: sha256, randomness: systemHost.randomness, timers: systemHost.timers },
    ...more,
  });
}
