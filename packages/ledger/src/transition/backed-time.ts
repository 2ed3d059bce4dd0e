/**
 * The time that enough SVs back with their stamps (protocol version 4). No single SV can move the network's time: a stamp
 * counts up to the backed time and a tolerance. Among k SVs one has a right clock, as long as no more than f are wrong, and
 * k right ones are enough for time to go on.
 */
import { sorted } from "../values/sorted.ts";
import { MIN_TIME, type Time } from "../values/time.ts";
import { toleratedFaults } from "../values/tolerated-faults.ts";
import type { LedgerView, Network } from "./ledger-view.ts";
import { DEFAULT_CLOCK_TOLERANCE } from "./limits.ts";

/** A stamp of one SV. */
export interface Stamp {
  readonly sv: string;
  readonly stampedAt: Time;
}

/** k: the number of SVs whose stamps back a time. */
export function requiredStamps(svs: number): number {
  return svs === 1 ? 1 : Math.max(2, toleratedFaults(svs) + 1);
}

/** B: the k-th highest of the current SVs' last stamps, this one included. An SV without a stamp backs nothing. */
export function backedTime(
  { svs }: Pick<Network, "svs">,
  view: Pick<LedgerView, "findStamp">,
  stamp?: Stamp,
): Time {
  const last = svs.map((sv) => (sv === stamp?.sv ? stamp.stampedAt : (view.findStamp(sv) ?? MIN_TIME)));
  const ordered = sorted(last, (a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return ordered[requiredStamps(svs.length) - 1] ?? MIN_TIME;
}

/** The time for which a stamp counts, before the network's clock offset. */
export function boundedStamp(network: Network, view: Pick<LedgerView, "findStamp">, stamp: Stamp): bigint {
  const latest = backedTime(network, view, stamp) + (network.clockTolerance ?? DEFAULT_CLOCK_TOLERANCE);
  return stamp.stampedAt < latest ? stamp.stampedAt : latest;
}
