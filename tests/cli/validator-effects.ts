// What each key of a validator does to its setup.

import type { ValidatorSetup } from "../../packages/cli/src/settings/setups.ts";
import { type Effects, effectsUnder } from "./key-effect.ts";
import { databaseEffects, processEffects, tlsEffects } from "./process-effects.ts";

const ALICE = `alice::1220${"a".repeat(64)}`;
const BOB = `bob::1220${"b".repeat(64)}`;

/** A validator that is configured completely. */
export const VALIDATOR_BASE = {
  svSponsorAddress: "https://sv.example.com",
  validatorPartyHint: "acme-names-1",
  nodeIdentifier: "acme-node-1",
  migration: { id: 7 },
  scanAddress: "https://scan.example.com",
  validatorWalletUsers: ["alice"],
  auth: { audience: "https://validator.acme.example", jwksUrl: "https://id.acme.example/keys" },
  callsign: {
    participantAuth: {
      wellKnownConfigUrl: "https://id.acme.example/.well-known/openid-configuration",
      clientId: "client-1",
      clientSecret: "base-client-secret",
      audience: "https://ledger.acme.example",
    },
  },
};

/** Secrets beside it; a key of the values wins over them. */
export const BASE_SECRETS = {
  "postgres-secrets/postgresPassword": "base-password\n",
  "other-postgres/postgresPassword": "other-password\n",
  "splice-app-validator-onboarding-validator/secret": "base-onboarding-secret\n",
  "splice-app-validator-onboarding-validator/other-key": "secret-of-other-key",
  "other-onboarding/secret": "secret-of-other-name",
  "splice-app-validator-ledger-api-auth/ledger-api-user": "base-admin\n",
  "splice-app-validator-ledger-api-auth/token": "base-token\n",
  "splice-app-validator-ledger-api-auth/other-user": "admin-of-other-key",
  "other-auth/ledger-api-user": "admin-of-other-name",
};

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
const NAMES = {
  networkName: "Acme Net",
  networkFaviconUrl: "https://acme.example/icon.png",
  amuletName: "Acme Coin",
  amuletNameAcronym: "AC",
  nameServiceName: "Acme Name Service",
  nameServiceNameAcronym: "ANS",
};
const SCHEDULE = { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "48h" };
const TOPUP = { topup: { enabled: true, targetThroughput: 20_000, minTopupInterval: "1m" } };
const SWEEP = { maxBalanceUSD: 100, minBalanceUSD: 10, receiver: BOB, useTransferPreapproval: false };
const TLS = "callsign.participantTls";

const name = (key: keyof typeof NAMES, given: string) => ({
  given,
  expected: { ...NAMES, [key]: given },
  pick: ({ config }: ValidatorSetup) => config.spliceInstanceNames,
  beside: { spliceInstanceNames: NAMES },
});
const sweep = (setup: ValidatorSetup) => setup.walletSweep[ALICE];
const credentials = (setup: ValidatorSetup) => ({ ...setup.serviceUser.credentials });

export const VALIDATOR_EFFECTS: Effects<ValidatorSetup> = {
  "migration.id": { given: 9, expected: 9, pick: ({ config }) => config.migrationId },
  "migration.migrating": { given: true, expected: undefined, pick: () => undefined, isRefused: true },
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
  nodeIdentifier: { given: "acme-node-2", expected: "acme-node-2", pick: (setup) => setup.nodeIdentifier },
  svValidator: {
    given: true,
    expected: [undefined, "trust-single"],
    pick: ({ config }) => [config.onboarding, config.scans.kind],
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
  ...effectsUnder("spliceInstanceNames", {
    networkName: name("networkName", "Other Net"),
    networkFaviconUrl: name("networkFaviconUrl", "https://acme.example/other.png"),
    amuletName: name("amuletName", "Other Coin"),
    amuletNameAcronym: name("amuletNameAcronym", "OC"),
    nameServiceName: name("nameServiceName", "Other Names"),
    nameServiceNameAcronym: name("nameServiceNameAcronym", "ONS"),
  }),
  "auth.audience": {
    given: "https://other.example",
    expected: "https://other.example",
    pick: ({ config }) => ("audience" in config.auth ? config.auth.audience : ""),
  },
  "auth.jwksUrl": {
    given: "https://other.example/keys",
    expected: "https://other.example/keys",
    pick: ({ config }) => ("jwksUrl" in config.auth ? config.auth.jwksUrl : ""),
  },
  "callsign.auth.algorithm": {
    given: "hs-256-unsafe",
    expected: "hs256",
    pick: ({ config }) => config.auth.kind,
    beside: { callsign: { auth: { secret: "shared" } } },
  },
  "callsign.auth.secret": {
    given: "other-shared",
    expected: "other-shared",
    pick: ({ config }) => ("secret" in config.auth ? config.auth.secret : ""),
    beside: { callsign: { auth: { algorithm: "hs-256-unsafe", secret: "shared" } } },
  },
  disableAuth: {
    given: true,
    expected: ["none", "none"],
    pick: (setup) => [setup.config.auth.kind, setup.serviceUser.credentials.kind],
  },
  ...effectsUnder("callsign.participantAuth", {
    type: { given: "none", expected: { kind: "none" }, pick: credentials },
    user: { given: "service", expected: "service", pick: ({ serviceUser }) => serviceUser.userId },
    wellKnownConfigUrl: {
      given: "https://other.example/c",
      expected: "https://other.example/c",
      pick: (setup) => Object.entries(credentials(setup)).find(([key]) => key === "wellKnownUrl")?.[1],
    },
    clientId: {
      given: "client-2",
      expected: "client-2",
      pick: (setup) => Object.entries(credentials(setup)).find(([key]) => key === "clientId")?.[1],
    },
    clientSecret: {
      given: "other-client-secret",
      expected: "other-client-secret",
      pick: (setup) => Object.entries(credentials(setup)).find(([key]) => key === "clientSecret")?.[1],
    },
    audience: {
      given: "other-audience",
      expected: "other-audience",
      pick: (setup) => Object.entries(credentials(setup)).find(([key]) => key === "audience")?.[1],
    },
    scope: {
      given: "daml_ledger_api",
      expected: "daml_ledger_api",
      pick: (setup) => Object.entries(credentials(setup)).find(([key]) => key === "scope")?.[1],
    },
    token: {
      given: "a.b.c",
      expected: { kind: "static", token: "a.b.c" },
      pick: credentials,
      beside: { callsign: { participantAuth: { type: "static" } } },
    },
    secret: {
      given: "shared",
      expected: {
        kind: "self-signed",
        user: "base-admin",
        audience: "https://ledger.acme.example",
        secret: "shared",
      },
      pick: credentials,
      beside: { callsign: { participantAuth: { type: "self-signed" } } },
    },
  }),
  fixedTokens: { given: true, expected: { kind: "static", token: "base-token" }, pick: credentials },
  "cluster.fixedTokens": {
    given: true,
    expected: { kind: "static", token: "base-token" },
    pick: credentials,
  },
  participantAddress: {
    given: "participant",
    expected: "http://participant:7575",
    pick: ({ config }) => config.participantUrl,
  },
  "callsign.port": { given: 6503, expected: 6503, pick: ({ config }) => config.port },
  "callsign.participantUrl": {
    given: "http://10.0.0.1:7000",
    expected: "http://10.0.0.1:7000",
    pick: ({ config }) => config.participantUrl,
  },
  "callsign.participantAdminUrl": {
    given: "http://10.0.0.1:5002",
    expected: "http://10.0.0.1:5002",
    pick: ({ config }) => config.participantAdminUrl,
  },
  [`${TLS}.enabled`]: {
    given: true,
    expected: "https://127.0.0.1:7575",
    pick: ({ config }) => config.participantUrl,
  },
  [`${TLS}.trustCollectionFile`]: {
    given: "/ca.pem",
    expected: { trustCollectionFile: "/ca.pem" },
    pick: ({ config }) => config.participantTls,
  },
  [`${TLS}.certChainFile`]: {
    given: "/c.pem",
    expected: { certificate: { certChainFile: "/c.pem", privateKeyFile: "/k.pem" } },
    pick: ({ config }) => config.participantTls,
    beside: { callsign: { participantTls: { privateKeyFile: "/k.pem" } } },
  },
  [`${TLS}.privateKeyFile`]: {
    given: "/k.pem",
    expected: { certificate: { certChainFile: "/c.pem", privateKeyFile: "/k.pem" } },
    pick: ({ config }) => config.participantTls,
    beside: { callsign: { participantTls: { certChainFile: "/c.pem" } } },
  },
  "callsign.topologyMetricsPollingInterval": {
    given: "5m",
    expected: 300,
    pick: ({ config }) => config.topologyMetricsSeconds,
  },
  enableWallet: { given: false, expected: false, pick: ({ config }) => config.enableWallet },
  "topup.enabled": { given: false, expected: undefined, pick: ({ config }) => config.topup, beside: TOPUP },
  "topup.targetThroughput": {
    given: 40_000,
    expected: 40_000,
    pick: ({ config }) => config.topup?.targetThroughput,
    beside: TOPUP,
  },
  "topup.minTopupInterval": {
    given: "2m",
    expected: 120,
    pick: ({ config }) => config.topup?.minTopupIntervalSeconds,
    beside: TOPUP,
  },
  "topup.reservedTraffic": {
    given: 5_000_000,
    expected: undefined,
    pick: () => undefined,
    beside: TOPUP,
    isRefused: true,
  },
  ...effectsUnder("participantPruningSchedule", {
    cron: {
      given: "0 0 3 * * ?",
      expected: { ...SCHEDULE, cron: "0 0 3 * * ?" },
      pick: ({ config }) => config.pruningSchedule,
      beside: { participantPruningSchedule: SCHEDULE },
    },
    maxDuration: {
      given: "10m",
      expected: { ...SCHEDULE, maxDuration: "10m" },
      pick: ({ config }) => config.pruningSchedule,
      beside: { participantPruningSchedule: SCHEDULE },
    },
    retention: {
      given: "30d",
      expected: { ...SCHEDULE, retention: "30d" },
      pick: ({ config }) => config.pruningSchedule,
      beside: { participantPruningSchedule: SCHEDULE },
    },
  }),
  deduplicationDuration: {
    given: "12h",
    expected: 43_200,
    pick: ({ config }) => config.deduplicationSeconds,
  },
  "walletSweep.*.maxBalanceUSD": {
    given: 250,
    expected: 2_500_000_000_000n,
    pick: (setup) => sweep(setup)?.maxBalanceUsd,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "walletSweep.*.minBalanceUSD": {
    given: 20,
    expected: 200_000_000_000n,
    pick: (setup) => sweep(setup)?.minBalanceUsd,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "walletSweep.*.receiver": {
    given: ALICE,
    expected: ALICE,
    pick: (setup) => sweep(setup)?.receiver,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "walletSweep.*.useTransferPreapproval": {
    given: true,
    expected: true,
    pick: (setup) => sweep(setup)?.useTransferPreapproval,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "autoAcceptTransfers.*.fromParties": {
    given: [BOB],
    expected: { fromParties: [BOB] },
    pick: (setup) => setup.autoAcceptTransfers[ALICE],
  },
  additionalConfig: {
    given: 'canton.validator-apps.validator_backend.contact-point = "more@acme.example"',
    expected: "more@acme.example",
    pick: ({ config }) => config.contactPoint,
  },
  additionalUsers: {
    given: [{ name: "SPLICE_APP_CONTACT_POINT", value: "users@acme.example" }],
    expected: "users@acme.example",
    pick: ({ config }) => config.contactPoint,
  },
  "participantIdentitiesDumpImport.newParticipantIdentifier": {
    given: "another-node",
    expected: undefined,
    pick: () => undefined,
    isRefused: true,
  },
  ...tlsEffects("api", ({ config }: ValidatorSetup) => config),
  ...databaseEffects<ValidatorSetup>(({ config }) => config.database && { ...config.database }),
  ...processEffects<ValidatorSetup>(
    ({ config }) => config.host,
    ({ config }) => config.dataFolder,
  ),
};

/** The name that stands for `*` in the rows. */
export const STAR = ALICE;
