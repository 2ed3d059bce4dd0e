/** The sequencers that a validator hands to its participant, of those that the network has. */
import { findBaseUrlFault, MAX_SEQUENCERS, trimBaseUrl } from "@callsign/api";
import { parseTime, type Time } from "@callsign/ledger";
import type { Log } from "@callsign/node";
import type { SequencerSource } from "../settings/network-settings.ts";
import { type BodyOf, requestTo, type ScanRead } from "./scan-read.ts";

export interface ListedSequencer {
  readonly migrationId: number;
  readonly synchronizerSerial: number | null;
  readonly url: string;
  readonly svName: string;
  readonly availableAfter: string;
}

/** The sequencers of the network's own synchronizer. */
export const networkSequencers: ScanRead<readonly ListedSequencer[]> = {
  what: "the network's sequencers",
  requests: [requestTo("getAmuletRules", { body: {} }), requestTo("listDsoSequencers", {})],
  decode: (bodies) => {
    const [rules, listed] = bodies as [BodyOf<"getAmuletRules">, BodyOf<"listDsoSequencers">];
    const { domain_id: synchronizerId } = rules.amulet_rules_update;
    return listed.domainSequencers.find(({ domainId }) => domainId === synchronizerId)?.sequencers ?? [];
  },
};

export interface ChosenSequencers {
  readonly urls: string[];
  /** Null: a quorum of the network's SVs. */
  readonly threshold: number | null;
}

/** The sequencers to connect to, of those that the network has. Throws if there are too few. */
export function chooseSequencers(
  source: Exclude<SequencerSource, { readonly kind: "trust-single" }>,
  listed: readonly ListedSequencer[],
  { now, migrationId, log }: { readonly now: Time; readonly migrationId: number; readonly log: Log },
): ChosenSequencers {
  const usable = listed.filter(
    (each) =>
      each.migrationId === migrationId &&
      isAvailable(each.availableAfter, now) &&
      findBaseUrlFault(each.url) === null,
  );
  if (source.kind === "from-scan") {
    const urls = distinct(usable);
    if (urls.length > 0) return { urls, threshold: null };
    throw new Error(
      `the scans list ${listed.length} sequencers, and none with migration id ${migrationId} can be used now`,
    );
  }
  const { svNames, threshold } = source;
  const missing = svNames.filter((name) => !usable.some(({ svName }) => svName === name));
  if (missing.length > 0) log.warn({ missing }, "SVs of svNames have no sequencer that can be used now");
  const urls = distinct(usable.filter(({ svName }) => svNames.includes(svName)));
  if (urls.length >= threshold) return { urls, threshold };
  throw new Error(
    `${urls.length} sequencers of the SVs ${svNames.join(", ")} can be used, and the threshold is ${threshold}; ` +
      `this network has sequencers of ${usable.map(({ svName }) => svName).join(", ")}`,
  );
}

function isAvailable(after: string, now: Time): boolean {
  const time = parseTime(after);
  return time.ok && time.value <= now;
}

function distinct(sequencers: readonly ListedSequencer[]): string[] {
  return [...new Set(sequencers.map(({ url }) => trimBaseUrl(url)))].slice(0, MAX_SEQUENCERS);
}
