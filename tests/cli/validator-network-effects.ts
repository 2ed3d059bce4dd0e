// The effects of a validator's keys about its network and its identity.

import type { ValidatorSetup } from "../../packages/cli/src/settings/setups.ts";
import { instanceNameEffects } from "./instance-name-effects.ts";
import type { Effects } from "./key-effect.ts";

const CUSTOM_SCANS = {
  scanAddress: null,
  scanClient: {
    scanType: "bft-custom",
    seedUrls: ["https://scan.example.com"],
    svNames: ["sv-1", "sv-2"],
    threshold: 1,
  },
};
const SCANS = {
  kind: "bft-custom",
  seedUrls: ["https://scan.example.com/api/scan"],
  svNames: ["sv-1", "sv-2"],
  threshold: 1,
};
const SINGLE_SCAN = {
  scanAddress: null,
  scanClient: { scanType: "trust-single", scanAddress: "https://scan.example.com" },
};
export const VALIDATOR_NETWORK_EFFECTS: Effects<ValidatorSetup> = {
  "migration.id": { given: 9, expected: 9, pick: ({ config }) => config.migrationId },
  "migration.migrating": { given: true, expected: true, pick: ({ config }) => config.migrating },
  svSponsorAddress: {
    given: "https://sv2.example.com/",
    expected: "https://sv2.example.com/api/sv",
    pick: ({ config }) => config.onboarding?.svUrl,
  },
  "onboardingSecretFrom.secretKeyRef.name": {
    given: "other-onboarding",
    expected: "secret-of-other-name",
    pick: ({ config }) => config.onboarding?.secret,
  },
  "onboardingSecretFrom.secretKeyRef.key": {
    given: "other-key",
    expected: "secret-of-other-key",
    pick: ({ config }) => config.onboarding?.secret,
  },
  "callsign.onboardingSecret": {
    given: "given-secret",
    expected: "given-secret",
    pick: ({ config }) => config.onboarding?.secret,
  },
  "scanClient.scanType": {
    given: "bft-custom",
    expected: SCANS,
    pick: ({ config }) => config.scans,
    beside: { ...CUSTOM_SCANS, scanClient: { ...CUSTOM_SCANS.scanClient, scanType: "bft" } },
  },
  "scanClient.seedUrls": {
    given: ["https://a.example", "https://b.example/api/scan"],
    expected: { kind: "bft", seedUrls: ["https://a.example/api/scan", "https://b.example/api/scan"] },
    pick: ({ config }) => config.scans,
    beside: { scanAddress: null },
  },
  "scanClient.svNames": {
    given: ["sv-3"],
    expected: { ...SCANS, svNames: ["sv-3"] },
    pick: ({ config }) => config.scans,
    beside: CUSTOM_SCANS,
  },
  "scanClient.threshold": {
    given: 2,
    expected: { ...SCANS, threshold: 2 },
    pick: ({ config }) => config.scans,
    beside: CUSTOM_SCANS,
  },
  "scanClient.scanAddress": {
    given: "https://one.example",
    expected: { kind: "trust-single", url: "https://one.example/api/scan" },
    pick: ({ config }) => config.scans,
    beside: SINGLE_SCAN,
  },
  scanAddress: {
    given: "https://scan9.example.com",
    expected: { kind: "bft", seedUrls: ["https://scan9.example.com/api/scan"] },
    pick: ({ config }) => config.scans,
  },
  nonSvValidatorTrustSingleScan: {
    given: true,
    expected: { kind: "trust-single", url: "https://scan.example.com/api/scan" },
    pick: ({ config }) => config.scans,
  },
  "synchronizer.connectionType": {
    given: "bft-custom",
    expected: { kind: "bft-custom", svNames: ["sv-1"], threshold: 1 },
    pick: ({ config }) => config.sequencers,
    beside: { synchronizer: { connectionType: "bft", svNames: ["sv-1"], threshold: 1 } },
  },
  "synchronizer.url": {
    given: "https://sequencer.example",
    expected: { kind: "trust-single", url: "https://sequencer.example" },
    pick: ({ config }) => config.sequencers,
    beside: { synchronizer: { connectionType: "trust-single" } },
  },
  "synchronizer.svNames": {
    given: ["sv-1", "sv-2"],
    expected: { kind: "bft-custom", svNames: ["sv-1", "sv-2"], threshold: 1 },
    pick: ({ config }) => config.sequencers,
    beside: { synchronizer: { connectionType: "bft-custom", threshold: 1 } },
  },
  "synchronizer.threshold": {
    given: 2,
    expected: { kind: "bft-custom", svNames: ["sv-1", "sv-2"], threshold: 2 },
    pick: ({ config }) => config.sequencers,
    beside: { synchronizer: { connectionType: "bft-custom", svNames: ["sv-1", "sv-2"] } },
  },
  useSequencerConnectionsFromScan: {
    given: false,
    expected: { kind: "trust-single", url: "https://sequencer.example" },
    pick: ({ config }) => config.sequencers,
    beside: { decentralizedSynchronizerUrl: "https://sequencer.example" },
  },
  decentralizedSynchronizerUrl: {
    given: "https://sequencer.example",
    expected: { kind: "trust-single", url: "https://sequencer.example" },
    pick: ({ config }) => config.sequencers,
    beside: { useSequencerConnectionsFromScan: false },
  },
  validatorPartyHint: {
    given: "acme-names-2",
    expected: "acme-names-2",
    pick: ({ config }) => config.operatorPartyHint,
  },
  nodeIdentifier: {
    given: "acme-node-2",
    expected: "acme-node-2",
    pick: ({ config }) => config.nodeIdentifier,
  },
  svValidator: {
    given: true,
    expected: [undefined, "trust-single", true],
    pick: ({ config }) => [config.onboarding, config.scans.kind, config.svValidator],
    beside: { validatorPartyHint: null },
  },
  validatorWalletUser: {
    given: "carol",
    expected: ["carol"],
    pick: ({ config }) => config.walletUsers,
    beside: { validatorWalletUsers: null },
  },
  validatorWalletUsers: {
    given: ["bob", "auth0|carol"],
    expected: ["bob", "auth0|carol"],
    pick: ({ config }) => config.walletUsers,
  },
  contactPoint: {
    given: "ops@acme.example",
    expected: "ops@acme.example",
    pick: ({ config }) => config.contactPoint,
  },
  ...instanceNameEffects<ValidatorSetup>("spliceInstanceNames", ({ config }) => config.spliceInstanceNames),
};
