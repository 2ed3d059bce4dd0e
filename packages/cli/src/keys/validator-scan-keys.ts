/** The keys of a validator about scans and sequencers: which of them it believes. */
import { validatorPaths } from "./hocon-roots.ts";
import { type KeyTable, key } from "./key.ts";
import { FLAG, type KeyType, TEXT, URL_TEXT } from "./key-type.ts";

const URLS: KeyType = { kind: "list", of: URL_TEXT, min: 1 };
const NAMES: KeyType = { kind: "list", of: TEXT, min: 1 };
const COUNT: KeyType = { kind: "whole", min: 1, max: 1000 };

export const SCAN_KEYS: KeyTable = [
  key(
    "scanClient.scanType",
    { kind: "choice", of: ["bft", "bft-custom", "trust-single"] },
    "which scans are believed: f + 1 of all, of those named, or one alone",
    {
      otherwise: "`bft`",
      hocon: validatorPaths("scan-client.type"),
    },
  ),
  key("scanClient.seedUrls", URLS, "scans by which the others are found", {
    hocon: validatorPaths("scan-client.seed-urls"),
  }),
  key("scanClient.svNames", NAMES, "for `bft-custom`: the SVs whose scans are asked", {
    hocon: validatorPaths("scan-client.sv-names"),
  }),
  key("scanClient.threshold", COUNT, "for `bft-custom`: how many of them must agree", {
    hocon: validatorPaths("scan-client.threshold"),
  }),
  key("scanClient.scanAddress", URL_TEXT, "for `trust-single`: the scan that is believed", {
    hocon: validatorPaths("scan-client.url"),
  }),
  key("scanAddress", URL_TEXT, "a trusted scan, by which the others are found; instead of `scanClient`", {
    variables: ["SPLICE_APP_VALIDATOR_SCAN_ADDRESS", "TRUSTED_SCAN_URL", "SCAN_ADDRESS"],
  }),
  key("nonSvValidatorTrustSingleScan", FLAG, "only the scan at `scanAddress` is asked, and believed", {
    otherwise: "`false`",
  }),
  key(
    "synchronizer.connectionType",
    { kind: "choice", of: ["bft", "bft-custom", "trust-single"] },
    "which sequencers the participant uses: all, those of some SVs, or one alone",
    {
      otherwise: "`bft`",
    },
  ),
  key("synchronizer.url", URL_TEXT, "for `trust-single`: the sequencer"),
  key("synchronizer.svNames", NAMES, "for `bft-custom`: the SVs whose sequencers are used", {
    hocon: validatorPaths("domains.global.trusted-synchronizer-config.sv-names"),
  }),
  key("synchronizer.threshold", COUNT, "for `bft-custom`: how many of them must agree", {
    hocon: validatorPaths("domains.global.trusted-synchronizer-config.threshold"),
  }),
  key(
    "useSequencerConnectionsFromScan",
    FLAG,
    "`false`: only the sequencer at `decentralizedSynchronizerUrl` is used",
    {
      otherwise: "`true`",
    },
  ),
  key("decentralizedSynchronizerUrl", URL_TEXT, "that sequencer", {
    variables: ["SEQUENCER_ADDRESS"],
    hocon: validatorPaths("domains.global.url"),
  }),
];
