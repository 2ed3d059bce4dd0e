/** The URLs at which the rest of the network reaches an SV's scan and sequencer. */
import { findBaseUrlFault, trimBaseUrl } from "@callsign/api";
import type { Log } from "@callsign/node";

export interface PublicUrls {
  /** With or without `/api/scan`. */
  readonly scan: string;
  readonly sequencer: string;
}

/** Throws for a URL that nobody could use. */
export function checkPublicUrls(given: Partial<PublicUrls>): void {
  for (const [key, url] of Object.entries(given)) {
    const fault = findBaseUrlFault(url);
    if (fault !== null) throw new Error(`publicUrls.${key}: ${fault}`);
  }
}

/** An address that means every network card of a machine. */
const ANY_ADDRESS = /^https?:\/\/(0\.0\.0\.0|\[::\]):/;

/** The given URLs, or those that the servers listen on; null, with a warning, where others cannot use them. */
export function publicUrlsOf(given: Partial<PublicUrls>, servers: PublicUrls, log: Log): PublicUrls | null {
  const urls = { ...servers, ...given };
  if (!Object.values(urls).some((url) => ANY_ADDRESS.test(url))) return normalize(urls);
  log.warn(
    urls,
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
