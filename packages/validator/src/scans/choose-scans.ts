/** The scans that a validator reads from, of those that the network has. */
import { findBaseUrlFault } from "@callsign/api";
import type { Log } from "@callsign/node";
import type { ScanDiscovery } from "../settings/network-settings.ts";
import type { KnownScans } from "../store/known-scans.ts";
import { type Quorum, quorumOf } from "./agreement.ts";

export type DiscoveredScans = Exclude<ScanDiscovery, { readonly kind: "trust-single" }>;

export interface Chosen {
  readonly urls: readonly string[];
  readonly quorum: Quorum;
}

/** The scans to read from, of those that the network has. Throws if there are too few. */
export function chooseScans(
  discovery: DiscoveredScans,
  { scans: known, svs = known.length }: Pick<KnownScans, "scans" | "svs">,
  log: Log,
): Chosen {
  const usable = known.filter(({ url }) => findBaseUrlFault(url) === null);
  if (discovery.kind === "bft") {
    if (usable.length === 0) throw new Error("the network's SVs publish no scan");
    // Two SVs with one scan are one voice, and still two SVs.
    return {
      urls: usable.map(({ url }) => url),
      quorum: quorumOf(known.length, Math.max(svs, known.length)),
    };
  }
  const { svNames, threshold } = discovery;
  const missing = svNames.filter((name) => !usable.some(({ svName }) => svName === name));
  if (missing.length > 0) log.warn({ missing }, "SVs of svNames have no scan on this network");
  const urls = usable.filter(({ svName }) => svNames.includes(svName)).map(({ url }) => url);
  if (new Set(urls).size < threshold) {
    const names = usable.map(({ svName }) => svName).join(", ");
    throw new Error(
      `the scans of ${urls.length} of the SVs ${svNames.join(", ")} are known, and the threshold is ${threshold}; ` +
        `this network has scans of ${names}`,
    );
  }
  const quorum = { scans: urls.length, needed: threshold, first: urls.length, unanimous: false };
  return { urls, quorum };
}
