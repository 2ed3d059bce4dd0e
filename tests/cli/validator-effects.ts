// The effect of each key of a validator.

import type { ValidatorSetup } from "../../packages/cli/src/settings/setups.ts";
import { type Effects, effectsUnder } from "./key-effect.ts";
import { databaseEffects, processEffects, tlsEffects } from "./process-effects.ts";
import { uiAddressEffects, uiAudienceEffects, uiEffects } from "./ui-effects.ts";
import { ALICE, BOB } from "./validator-base.ts";
import { VALIDATOR_NETWORK_EFFECTS } from "./validator-network-effects.ts";

const CAROL = `carol::1220${"c".repeat(64)}`;
const SCHEDULE = { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "48h" };
const TOPUP = { topup: { enabled: true, targetThroughput: 20_000, minTopupInterval: "1m" } };
const SWEEP = { maxBalanceUSD: 100, minBalanceUSD: 10, receiver: BOB, useTransferPreapproval: false };
const TLS = "callsign.participantTls";

const sweep = (setup: ValidatorSetup) => setup.config.walletSweep[ALICE];
const credentials = (setup: ValidatorSetup) => ({ ...setup.serviceUser.credentials });
const credential = (name: string) => (setup: ValidatorSetup) =>
  Object.entries(credentials(setup)).find(([key]) => key === name)?.[1];

const pagesOf = ({ config }: ValidatorSetup) => config.web;

export const VALIDATOR_EFFECTS: Effects<ValidatorSetup> = {
  ...VALIDATOR_NETWORK_EFFECTS,
  ...uiEffects({ ui: "wallet", home: "wallet" }, pagesOf),
  ...uiEffects({ ui: "names", home: "names" }, pagesOf),
  ...uiAudienceEffects({ ui: "wallet", home: "wallet" }, pagesOf),
  ...uiAddressEffects("wallet", pagesOf),
  ...uiAddressEffects("names", pagesOf),
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
  "auth.jwks.connectionTimeout": {
    given: "2 seconds",
    expected: 2000,
    pick: ({ config }) =>
      "connectionTimeoutMilliseconds" in config.auth ? config.auth.connectionTimeoutMilliseconds : undefined,
  },
  "auth.jwks.readTimeout": {
    given: "1500 ms",
    expected: 1500,
    pick: ({ config }) =>
      "readTimeoutMilliseconds" in config.auth ? config.auth.readTimeoutMilliseconds : undefined,
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
      pick: credential("wellKnownUrl"),
    },
    clientId: {
      given: "client-2",
      expected: "client-2",
      pick: credential("clientId"),
    },
    clientSecret: {
      given: "other-client-secret",
      expected: "other-client-secret",
      pick: credential("clientSecret"),
    },
    audience: {
      given: "other-audience",
      expected: "other-audience",
      pick: credential("audience"),
    },
    scope: {
      given: "daml_ledger_api",
      expected: "daml_ledger_api",
      pick: credential("scope"),
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
    given: 300_000,
    expected: 300_000,
    pick: ({ config }) => config.topup?.reservedTraffic,
    beside: TOPUP,
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
    expected: "250",
    pick: (setup) => sweep(setup)?.maxBalanceUSD,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "walletSweep.*.minBalanceUSD": {
    given: 20,
    expected: "20",
    pick: (setup) => sweep(setup)?.minBalanceUSD,
    beside: { walletSweep: { [ALICE]: SWEEP } },
  },
  "walletSweep.*.receiver": {
    given: CAROL,
    expected: CAROL,
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
    pick: (setup) => setup.config.autoAcceptTransfers[ALICE],
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
