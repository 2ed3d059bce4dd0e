/** The URLs at which the rest of the network reaches an SV's scan and sequencer. */
import { findBaseUrlFault, trimBaseUrl } from "@callsign/api";
import type { Log } from "@callsign/node";

export interface PublicUrls {
  /** With or without `/api/scan`. */
  readonly scan: string;
  readonly sequencer: string;
}

/** Throws for a URL that nobody could use. */
export function checkPublicUrls(given: PublicUrls | undefined): PublicUrls | undefined {
  if (given === undefined) return undefined;
  for (const key of ["scan", "sequencer"] as const) {
    const fault = findBaseUrlFault(given[key]);
    if (fault !== null) throw new Error(`publicUrls.${key}: ${fault}`);
  }
  return normalize(given);
}

/** An address that means every network card of a machine. */
const ANY_ADDRESS = /^http:\/\/(0\.0\.0\.0|\[::\]):/;

/** The URLs that the servers listen on; null, with a warning, where others cannot use them. */
export function publicUrlsOf(servers: PublicUrls, log: Log): PublicUrls | null {
  if (!ANY_ADDRESS.test(servers.scan)) return normalize(servers);
  log.warn(
    { scan: servers.scan, sequencer: servers.sequencer },
    "the URLs of this SV's scan and sequencer are not published: set publicUrls to those that others can reach",
  );
  return null;
}

/** The ledger holds a scan's URL without its path. */
function normalize({ scan, sequencer }: PublicUrls): PublicUrls {
  return {
    scan: trimBaseUrl(trimBaseUrl(scan).replace(/\/api\/scan$/, "")),
    sequencer: trimBaseUrl(sequencer),
  };
}
