/** An SV among the other SVs: it hears of them, and they of it, from `start` on. Without any it stands alone. */
import { requiredConfirmations } from "@callsign/ledger";
import type { Host, Metrics } from "@callsign/node";
import {
  AppliedHeads,
  CopiedLog,
  clearTerm,
  declarePeerMetrics,
  HttpPeer,
  OwnPeer,
  type PeerRouteParts,
  Peers,
  ProcessPeers,
  svSignatures,
} from "@callsign/synchronizer";
import type { Core } from "./open-core.ts";
import { PublishedPeers } from "./published-peers.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

export interface OpenedPeers {
  readonly start: () => void;
  /** Resolves once a quorum of the SVs, this one included, has applied the entry with the same outcome. */
  readonly reach: (sequence: number, signal: AbortSignal) => Promise<void>;
  /** Has every other SV append a tick. Resolves with the number of the last one in the log; 0 if there is none. */
  readonly askTicks: (signal: AbortSignal) => Promise<number>;
  /** Resolves once a quorum of the SVs holds nothing beyond the end of the log. */
  readonly clearTerm: (term: string) => Promise<void>;
  /** The reason why this SV cannot stand by its state or the log: a disagreement, or a log that lost entries; null if there is none. */
  readonly dispute: () => string | null;
  /** For the sequencer's API. */
  readonly routes: Omit<PeerRouteParts, "snapshot">;
  readonly close: () => Promise<void>;
}

interface PeersSetting {
  /** Stops the replica, which is wrong. */
  readonly halt: (reason: string) => void;
  /** Appends a tick. */
  readonly tick: () => Promise<number>;
  /** With the labels of the SV's sequencer. */
  readonly metrics: Metrics | undefined;
  readonly host: Host;
}

type PeersConfig = Pick<SvNodeConfig, "identity" | "peers" | "orderedLog" | "checks" | "log">;

export function openPeers(
  config: PeersConfig,
  { replica, index }: Pick<Core, "replica" | "index">,
  { halt, tick, metrics, host }: PeersSetting,
): OpenedPeers {
  const { identity, orderedLog, log } = config;
  const { id } = identity;
  const { timers, randomness } = host;
  const heads = new AppliedHeads(replica);
  const founded = () => replica.state.network?.id ?? null;
  const shared = {
    heads,
    network: () => founded() ?? "",
    signingKey: () => identity.signingKey,
    holds: svSignatures(replica.state, config.checks),
    timers,
  };
  const copiedLog = orderedLog instanceof CopiedLog ? orderedLog : null;
  const own = new OwnPeer({
    ...{ ...shared, id, tick, copy: copiedLog?.copy ?? null },
    enterTerm: copiedLog?.enterTerm ?? (async () => undefined),
  });
  const client = config.peers === "published" ? host.http.openClient() : null;
  const published =
    client &&
    new PublishedPeers({
      ...{ replica, index },
      openPeer: (peer, url) => new HttpPeer({ ...shared, id: peer, url, asker: id, fetch: client.fetch }),
    });
  const source = config.peers instanceof ProcessPeers ? config.peers : published;
  const svs = () => replica.state.network?.svs ?? [];
  const peers = source && new Peers({ id, heads, svs, source, onMinority: halt, timers, log });
  if (peers && metrics) declarePeerMetrics({ metrics, peers, heads });
  let leave: () => void = () => undefined;
  let lost: string | null = null;
  return {
    start: () => {
      if (source instanceof ProcessPeers) leave = source.join(own);
      peers?.start();
    },
    reach: (sequence, signal) => (peers ?? heads).reach(sequence, signal),
    askTicks: async (signal) => peers?.askTicks(signal) ?? 0,
    clearTerm: async (term) => {
      const network = founded();
      // Nobody holds anything before the founding.
      if (network === null) return;
      const asked = [own, ...(peers?.reachable ?? [])];
      const quorum = requiredConfirmations(svs().length);
      // An SV publishes its URL by an entry: before a quorum has done so, those that have are enough.
      const needed = published === null ? quorum : Math.min(quorum, asked.length);
      try {
        await clearTerm(term, {
          ...{ ...shared, log: copiedLog?.remote ?? orderedLog },
          ...{ network, svs: svs(), peers: asked, needed, randomness },
        });
        lost = null;
      } catch (error) {
        lost = error instanceof Error ? error.message : String(error);
        log.error({ error: lost, term }, "nothing is appended in the log's new term");
        throw error;
      }
    },
    dispute: () => peers?.dispute ?? lost,
    routes: { peer: own, heads, network: founded, holds: shared.holds, timers },
    close: async () => {
      leave();
      await peers?.close();
      client?.close();
    },
  };
}
