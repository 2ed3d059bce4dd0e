/** The other SVs as metrics: whose outcomes differ, and how far they are behind. */
import { gauge, type Metrics } from "@callsign/node";
import type { AppliedHeads } from "../replica/applied-heads.ts";
import type { KnownPeer, Peers } from "./peers.ts";

export interface PeerMetricsParts {
  /** With the labels of the SV. */
  readonly metrics: Metrics;
  readonly peers: Peers;
  readonly heads: AppliedHeads;
}

export function declarePeerMetrics({ metrics, peers, heads }: PeerMetricsParts): void {
  const declare = (name: string, help: string, read: (known: KnownPeer) => number) =>
    metrics.declare(gauge(name, help), () =>
      [...peers.list()].map(([peer, known]) => ({ labels: { peer }, value: read(known) })),
    );
  declare(
    "callsign_peer_differs",
    "1 for an SV whose outcomes differ from those of this one, 0 for all others.",
    ({ differs }) => (differs ? 1 : 0),
  );
  declare(
    "callsign_peer_lag_entries",
    "Entries that this SV has applied and the other one has not, or not with the same outcome.",
    ({ agreed }) => Math.max(heads.last.sequence - Math.max(agreed, 0), 0),
  );
}
