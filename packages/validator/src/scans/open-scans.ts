/** The scans that a validator reads from, by its configuration. */
import type { Time } from "@callsign/ledger";
import type { Host, Log, Metrics } from "@callsign/node";
import { isList, type ScanDiscovery } from "../settings/network-settings.ts";
import type { KnownScansStore } from "../store/known-scans.ts";
import { ScanDirectory } from "./scan-directory.ts";
import { ScanGroup } from "./scan-group.ts";

export interface OpenScans {
  readonly scans: ScanGroup;
  /** Finds the scans; null if they are configured one by one. */
  readonly directory: ScanDirectory | null;
}

export async function openScans(
  config: readonly string[] | ScanDiscovery,
  parts: {
    readonly store: KnownScansStore;
    readonly waitFor: () => Time | null;
    readonly host: Host;
    readonly log: Log;
    readonly metrics: Metrics | undefined;
  },
): Promise<OpenScans> {
  const { store, waitFor, host, log, metrics } = parts;
  const open = (urls: readonly string[]) => new ScanGroup({ urls, host, log, waitFor, metrics });
  if (isList(config)) return { scans: open(config), directory: null };
  if (config.kind === "trust-single") {
    log.warn(
      { scan: config.url },
      "this validator trusts a single scan: while it is down the validator cannot transact, and its answers are not checked",
    );
    return { scans: open([config.url]), directory: null };
  }
  const group = open([]);
  return {
    scans: group,
    directory: await ScanDirectory.open({ discovery: config, group, store, host, log }),
  };
}
