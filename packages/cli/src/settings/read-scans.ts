/** The scans that a validator believes, and the sequencers it gives to its participant. */
import type { ScanDiscovery, SequencerSource } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";
import { layerOfKeys } from "./layers.ts";
import { withPath } from "./urls.ts";

const SCAN_CLIENT = ["scanType", "seedUrls", "svNames", "threshold", "scanAddress"].map(
  (name) => `scanClient.${name}`,
);
const LEGACY = ["scanAddress", "nonSvValidatorTrustSingleScan"];
const TRUST_WARNING = "trusts one SV alone; if that SV is offline or compromised, this node cannot transact";

/** Undefined if findings say what is missing. */
export function readScans(reader: KeyReader): ScanDiscovery | undefined {
  const [client, legacy] = [layerOfKeys(reader, SCAN_CLIENT), layerOfKeys(reader, LEGACY)];
  if (client >= 0 && client === legacy) {
    const given = LEGACY.find((path) => layerOfKeys(reader, [path]) === legacy) ?? "scanAddress";
    return reader.refuse(given, "cannot be given beside scanClient", "Remove it, or remove scanClient");
  }
  const scans = client > legacy ? readScanClient(reader) : readLegacy(reader);
  if (scans?.kind === "trust-single") reader.warnings.push(`scan: ${scans.url} ${TRUST_WARNING}`);
  return scans;
}

function readScanClient(reader: KeyReader): ScanDiscovery | undefined {
  const kind = reader.text("scanClient.scanType") ?? "bft";
  const given = (name: string) => reader.has(`scanClient.${name}`);
  const needs = (name: string, fix: string) => reader.require(`scanClient.${name}`, fix);
  const url = reader.text("scanClient.scanAddress");
  if (kind === "trust-single") {
    if (url === undefined) return needs("scanAddress", "Give the URL of the scan to trust");
    return { kind, url: scanUrl(url) };
  }
  const seedUrls = reader.texts("scanClient.seedUrls")?.map(scanUrl);
  if (seedUrls === undefined)
    needs("seedUrls", "Give the URL of at least one trusted scan, TRUSTED_SCAN_URL");
  if (kind === "bft") {
    if (given("scanAddress")) {
      reader.refuse(
        "scanClient.scanAddress",
        "is for scanType trust-single alone",
        "Remove it, or list it in seedUrls",
      );
    }
    return seedUrls === undefined ? undefined : { kind, seedUrls };
  }
  const named = readNames(reader, "scanClient");
  return seedUrls === undefined || named === undefined
    ? undefined
    : { kind: "bft-custom", seedUrls, ...named };
}

function readNames(reader: KeyReader, path: string) {
  const svNames = reader.texts(`${path}.svNames`);
  const threshold = reader.number(`${path}.threshold`);
  if (svNames === undefined)
    reader.require(`${path}.svNames`, "bft-custom needs the names of the SVs to trust");
  if (threshold === undefined)
    reader.require(`${path}.threshold`, "bft-custom needs the number of SVs that must agree");
  if (svNames === undefined || threshold === undefined) return undefined;
  return { svNames, threshold };
}

function readLegacy(reader: KeyReader): ScanDiscovery | undefined {
  const address = reader.text("scanAddress");
  const isSingle =
    reader.flag("nonSvValidatorTrustSingleScan") === true || reader.flag("svValidator") === true;
  if (address === undefined) {
    const fix = "Give the URL of a trusted SV's scan, here or as the environment variable TRUSTED_SCAN_URL";
    return reader.require("scanAddress", fix);
  }
  const url = scanUrl(address);
  return isSingle ? { kind: "trust-single", url } : { kind: "bft", seedUrls: [url] };
}

export function readSequencers(reader: KeyReader): SequencerSource | undefined {
  const ours = ["connectionType", "url", "svNames", "threshold"].map((name) => `synchronizer.${name}`);
  const legacy = ["useSequencerConnectionsFromScan", "decentralizedSynchronizerUrl"];
  const [client, old] = [layerOfKeys(reader, ours), layerOfKeys(reader, legacy)];
  const settings = client >= 0 && client >= old ? readSynchronizer(reader) : readSingleSequencer(reader);
  if (settings?.kind === "trust-single") reader.warnings.push(`sequencer: ${settings.url} ${TRUST_WARNING}`);
  return settings;
}

function readSynchronizer(reader: KeyReader): SequencerSource | undefined {
  const url = reader.text("synchronizer.url");
  // Additional configuration gives the names alone.
  const kind =
    reader.text("synchronizer.connectionType") ?? (reader.has("synchronizer.svNames") ? "bft-custom" : "bft");
  if (kind === "trust-single") {
    if (url === undefined)
      return reader.require("synchronizer.url", "trust-single needs the sequencer's URL");
    return { kind, url };
  }
  if (kind === "bft") {
    // Splice takes a url beside bft and does not use it.
    if (url !== undefined) reader.warnings.push("synchronizer.url has no effect with connectionType bft");
    return { kind: "from-scan" };
  }
  if (url !== undefined) {
    reader.refuse(
      "synchronizer.url",
      "cannot be given with connectionType bft-custom",
      "Remove it, or set connectionType to trust-single",
    );
  }
  const named = readNames(reader, "synchronizer");
  return named === undefined ? undefined : { kind: "bft-custom", ...named };
}

function readSingleSequencer(reader: KeyReader): SequencerSource | undefined {
  const path = "decentralizedSynchronizerUrl";
  const url = reader.text(path);
  // Additional configuration has no other key for it than the URL.
  const isSingle =
    reader.flag("useSequencerConnectionsFromScan") === false || layerOfKeys(reader, [path]) === 2;
  if (isSingle && url === undefined) {
    return reader.require(path, "useSequencerConnectionsFromScan: false needs the sequencer's URL");
  }
  if (isSingle && url !== undefined) return { kind: "trust-single", url };
  if (url !== undefined)
    reader.warnings.push(`${path} has no effect unless useSequencerConnectionsFromScan is false`);
  return { kind: "from-scan" };
}

function scanUrl(url: string): string {
  return withPath(url, "/api/scan");
}
