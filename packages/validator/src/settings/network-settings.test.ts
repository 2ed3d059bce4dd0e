import { expect, test } from "vitest";
import {
  findScanProblems,
  findSequencerProblems,
  type ScanDiscovery,
  type SequencerSource,
} from "./network-settings.ts";

const seedUrls = ["https://scan.example.com"];

test.each<[readonly string[] | ScanDiscovery, readonly string[]]>([
  [["http://127.0.0.1:5012/api/scan", "https://scan.example.com"], []],
  [[], ["scans"]],
  [
    ["scan.example.com", "https://a:b@scan.example.com"],
    ["scans", "scans"],
  ],
  [{ kind: "bft", seedUrls }, []],
  [{ kind: "bft", seedUrls: [] }, ["scans.seedUrls"]],
  [{ kind: "trust-single", url: "https://scan.example.com?x=1" }, ["scans.url"]],
  [{ kind: "bft-custom", seedUrls, svNames: ["a", "b"], threshold: 2 }, []],
  [{ kind: "bft-custom", seedUrls, svNames: ["a", "b"], threshold: 3 }, ["scans.threshold"]],
  [
    { kind: "bft-custom", seedUrls: ["x"], svNames: ["a"], threshold: 0 },
    ["scans.seedUrls", "scans.threshold"],
  ],
  [{ kind: "bft-custom", seedUrls, svNames: ["a", "a"], threshold: 1 }, ["scans.svNames"]],
])("scans %j: faults of %j", (scans, keys) => {
  expect(findScanProblems(scans).map(({ key }) => key)).toEqual(keys);
});

test.each<[SequencerSource | undefined, readonly string[]]>([
  [undefined, []],
  [{ kind: "from-scan" }, []],
  [{ kind: "trust-single", url: "https://sequencer.example.com" }, []],
  [{ kind: "trust-single", url: "sequencer" }, ["sequencers.url"]],
  [{ kind: "bft-custom", svNames: [], threshold: 1 }, ["sequencers.svNames"]],
  [{ kind: "bft-custom", svNames: ["a"], threshold: 1.5 }, ["sequencers.threshold"]],
])("sequencers %j: faults of %j", (sequencers, keys) => {
  expect(findSequencerProblems(sequencers).map(({ key }) => key)).toEqual(keys);
});
