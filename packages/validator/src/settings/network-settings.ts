/** The scans that a validator reads from and the sequencers that it gives to its participant, as configured. */
import { findBaseUrlFault } from "@callsign/api";
import type { SettingFinding } from "./setting-finding.ts";

export type ScanDiscovery =
  /** All scans of the network, found through these and read by agreement. */
  | { readonly kind: "bft"; readonly seedUrls: readonly string[] }
  /** Only the scans of these SVs; so many equal answers count. */
  | {
      readonly kind: "bft-custom";
      readonly seedUrls: readonly string[];
      readonly svNames: readonly string[];
      readonly threshold: number;
    }
  /** One scan, whose answers are taken as they are. */
  | { readonly kind: "trust-single"; readonly url: string };

export type SequencerSource =
  /** All sequencers that the scans list. */
  | { readonly kind: "from-scan" }
  /** Of those the ones of these SVs; so many must deliver the same. */
  | { readonly kind: "bft-custom"; readonly svNames: readonly string[]; readonly threshold: number }
  /** One sequencer, which is believed alone, and stays until the configuration changes. */
  | { readonly kind: "trust-single"; readonly url: string };

export function isList(scans: readonly string[] | ScanDiscovery): scans is readonly string[] {
  return Array.isArray(scans);
}

export function findScanProblems(scans: readonly string[] | ScanDiscovery): readonly SettingFinding[] {
  if (isList(scans)) return findUrlProblems("scans", scans);
  if (scans.kind === "trust-single") return findUrlProblems("scans.url", [scans.url]);
  const findings = findUrlProblems("scans.seedUrls", scans.seedUrls);
  return scans.kind === "bft" ? findings : [...findings, ...findThresholdProblems("scans", scans)];
}

export function findSequencerProblems(sequencers: SequencerSource | undefined): readonly SettingFinding[] {
  if (sequencers === undefined || sequencers.kind === "from-scan") return [];
  return sequencers.kind === "trust-single"
    ? findUrlProblems("sequencers.url", [sequencers.url])
    : findThresholdProblems("sequencers", sequencers);
}

function findUrlProblems(key: string, urls: readonly string[]): readonly SettingFinding[] {
  if (urls.length === 0) return [{ key, problem: "it is empty", fix: "give the URL of at least one scan" }];
  return urls.flatMap((url) => {
    const problem = findBaseUrlFault(url);
    return problem === null ? [] : [{ key, problem, fix: "give a URL with host and port" }];
  });
}

function findThresholdProblems(
  key: string,
  { svNames, threshold }: { readonly svNames: readonly string[]; readonly threshold: number },
): readonly SettingFinding[] {
  const names = new Set(svNames).size;
  if (names === 0 || names < svNames.length) {
    const problem = names === 0 ? "it is empty" : "a name is given twice";
    return [{ key: `${key}.svNames`, problem, fix: "give the names of different SVs" }];
  }
  if (Number.isInteger(threshold) && threshold >= 1 && threshold <= names) return [];
  const value = String(threshold);
  const fix = `give 1 to ${names}, the number of svNames`;
  return [{ key: `${key}.threshold`, value, problem: `${value} is not allowed`, fix }];
}
