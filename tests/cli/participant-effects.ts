// The effect of each key of a participant, and of a network of SVs.

import type { ParticipantSetup, SvSetup } from "../../packages/cli/src/settings/setups.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { instanceNameEffects } from "./instance-name-effects.ts";
import { type Effects, effectsUnder } from "./key-effect.ts";
import { logEffects } from "./log-effects.ts";
import { databaseEffects, processEffects, tlsEffects } from "./process-effects.ts";
import { uiAudienceEffects, uiEffects } from "./ui-effects.ts";

export const PARTICIPANT_BASE = {
  nodeIdentifier: "acme-node-1",
  migration: { id: 7 },
  auth: { jwksUrl: "https://id.acme.example/keys", targetAudience: "https://ledger.acme.example" },
};

const tokens = (name: string) => (setup: ParticipantSetup) =>
  Object.entries(setup.config.auth).find(([key]) => key === name)?.[1];

export const PARTICIPANT_EFFECTS: Effects<ParticipantSetup> = {
  nodeIdentifier: {
    given: "acme-node-2",
    expected: "acme-node-2",
    pick: ({ config }) => config.nodeIdentifier,
  },
  "auth.jwksUrl": {
    given: "https://other.example/keys",
    expected: "https://other.example/keys",
    pick: tokens("jwksUrl"),
  },
  "auth.targetAudience": {
    given: "https://other.example",
    expected: "https://other.example",
    pick: tokens("audience"),
  },
  "callsign.auth.targetScope": {
    given: "daml_ledger_api",
    expected: "daml_ledger_api",
    pick: tokens("scope"),
  },
  "callsign.auth.algorithm": {
    given: "hs-256-unsafe",
    expected: "hs256",
    pick: tokens("kind"),
    beside: { callsign: { auth: { secret: "shared" } } },
  },
  "callsign.auth.secret": {
    given: "other-shared",
    expected: "other-shared",
    pick: tokens("secret"),
    beside: { callsign: { auth: { algorithm: "hs-256-unsafe", secret: "shared" } } },
  },
  disableAuth: { given: true, expected: "none", pick: tokens("kind") },
  "participantAdminUserNameFrom.secretKeyRef.name": {
    given: "other-auth",
    expected: ["admin-of-other-name"],
    pick: ({ config }) => config.adminUsers,
  },
  "participantAdminUserNameFrom.secretKeyRef.key": {
    given: "other-user",
    expected: ["admin-of-other-key"],
    pick: ({ config }) => config.adminUsers,
  },
  "callsign.adminUser": { given: "root", expected: ["root"], pick: ({ config }) => config.adminUsers },
  jsonApiServerPathPrefix: { given: "/ledger", expected: "/ledger", pick: ({ config }) => config.pathPrefix },
  "migration.id": {
    given: 9,
    expected: "participant_9",
    pick: ({ config }) => config.database?.database,
    beside: { persistence: { host: "db" } },
  },
  "migration.migrating": { given: true, expected: true, pick: ({ config }) => config.migrating },
  "migration.previousDatabaseName": {
    given: "the_one_before",
    expected: "the_one_before",
    pick: ({ config }) => config.previousDatabase?.database,
    beside: { persistence: { host: "db", password: "secret" } },
  },
  "callsign.port": { given: 7000, expected: 7000, pick: ({ config }) => config.port },
  "callsign.adminPort": { given: 5002, expected: 5002, pick: ({ config }) => config.admin?.port },
  "callsign.sequencers": {
    given: ["http://127.0.0.1:5008"],
    expected: ["http://127.0.0.1:5008"],
    pick: ({ config }) => config.sequencers,
  },
  "callsign.adminUsers": {
    given: ["second"],
    expected: ["base-admin", "second"],
    pick: ({ config }) => config.adminUsers,
  },
  ...tlsEffects("api", ({ config }: ParticipantSetup) => config),
  ...tlsEffects("admin", ({ config }: ParticipantSetup) => config.admin),
  ...databaseEffects<ParticipantSetup>(({ config }) => config.database && { ...config.database }),
  ...processEffects<ParticipantSetup>(
    ({ config }) => config.host,
    ({ config }) => config.dataFolder,
  ),
};

export const SV_BASE = {
  svs: [{ name: "sv-one" }],
  auth: { audience: "https://sv.acme.example", jwksUrl: "https://id.acme.example/keys" },
};

/** Rows of `svs[]` are those of its only SV. */
const appPages = ({ pages }: SvSetup) => pages.app;

export const SV_EFFECTS: Effects<SvSetup> = {
  ...uiEffects({ ui: "sv", home: "operator" }, appPages),
  ...uiAudienceEffects({ ui: "sv", home: "operator" }, appPages),
  "callsign.workers": { given: 4, expected: 4, pick: ({ workers }) => workers },
  ...effectsUnder("svs[]", {
    name: { given: "sv-two", expected: "sv-two", pick: ({ svs }) => svs[0]?.name },
    "ports.scan": { given: 6012, expected: 6012, pick: ({ svs }) => svs[0]?.ports.scan },
    "ports.sequencer": { given: 6008, expected: 6008, pick: ({ svs }) => svs[0]?.ports.sequencer },
    "ports.app": { given: 6014, expected: 6014, pick: ({ svs }) => svs[0]?.ports.app },
    "publicUrls.scan": {
      given: "https://scan.acme.example",
      expected: "https://scan.acme.example",
      pick: ({ svs }) => svs[0]?.publicUrls?.scan,
    },
    "publicUrls.sequencer": {
      given: "https://seq.acme.example",
      expected: "https://seq.acme.example",
      pick: ({ svs }) => svs[0]?.publicUrls?.sequencer,
    },
    operators: { given: ["olga"], expected: ["olga"], pick: ({ svs }) => svs[0]?.operators },
    expectedSecrets: { given: ["s-1"], expected: ["s-1"], pick: ({ svs }) => svs[0]?.expectedSecrets },
    rewardWeight: { given: 5000, expected: 5000n, pick: ({ svs }) => svs[0]?.rewardWeight },
    ...effectsUnder("joinWithKeyOnboarding", {
      sponsorApiUrl: {
        given: "https://sv.acme.example",
        expected: "https://sv.acme.example/api/sv",
        pick: ({ svs }) => svs[0]?.joining?.sponsorUrl,
      },
      publicKey: { given: "cHVi", expected: "cHVi", pick: ({ svs }) => svs[0]?.joining?.publicKey },
      privateKey: { given: "cHJp", expected: "cHJp", pick: ({ svs }) => svs[0]?.joining?.privateKey },
    }),
  }),
  ...effectsUnder("approvedSvIdentities[]", {
    name: { given: "sv-five", expected: "sv-five", pick: ({ approvedSvs }) => approvedSvs[0]?.name },
    publicKey: { given: "cHVi", expected: "cHVi", pick: ({ approvedSvs }) => approvedSvs[0]?.publicKey },
    rewardWeightBps: {
      given: 5000,
      expected: 5000n,
      pick: ({ approvedSvs }) => approvedSvs[0]?.rewardWeightBps,
    },
  }),
  ...logEffects<SvSetup>(),
  "log.retentionDays": { given: 7, expected: 7, pick: ({ retentionDays }) => retentionDays },
  "log.snapshotSources": {
    given: ["https://seq.acme.example"],
    expected: ["https://seq.acme.example"],
    pick: ({ snapshotSources }) => snapshotSources,
  },
  "network.isDevNet": { given: true, expected: true, pick: ({ network }) => network.isDevNet },
  "network.movableClock": { given: true, expected: true, pick: ({ network }) => network.movableClock },
  "migration.id": { given: 3, expected: 3n, pick: ({ network }) => network.migrationId },
  "network.migrationId": { given: 3, expected: 3n, pick: ({ network }) => network.migrationId },
  "network.tickDuration": {
    given: "30s",
    expected: 30_000_000n,
    pick: ({ network }) => network.tickMicroseconds,
  },
  "network.freeTrafficBytes": {
    given: 1_000_000,
    expected: 1_000_000n,
    pick: ({ network }) => network.freeTrafficBytes,
  },
  "network.amuletPrice": {
    given: "0.25",
    expected: 2_500_000_000n,
    pick: ({ network }) => network.amuletPrice,
  },
  ...effectsUnder("network.initialAnsConfig", {
    entryFee: { given: "2.5", expected: 25_000_000_000n, pick: ({ network }) => network.entryFee },
    entryLifetime: {
      given: "60d",
      expected: 60n * DAY,
      pick: ({ network }) => network.entryLifetimeMicroseconds,
    },
    renewalDuration: {
      given: "36h",
      expected: 36n * HOUR,
      pick: ({ network }) => network.renewalMicroseconds,
    },
  }),
  ...instanceNameEffects<SvSetup>(
    "network.spliceInstanceNames",
    ({ network }) => network.spliceInstanceNames,
  ),
  "auth.audience": {
    given: "https://other.example",
    expected: "https://other.example",
    pick: ({ auth }) => ("audience" in auth ? auth.audience : ""),
  },
  "auth.jwksUrl": {
    given: "https://other.example/keys",
    expected: "https://other.example/keys",
    pick: ({ auth }) => ("jwksUrl" in auth ? auth.jwksUrl : ""),
  },
  disableAuth: { given: true, expected: { kind: "none" }, pick: ({ auth }) => auth },
  ...tlsEffects("api", (setup: SvSetup) => ({
    host: setup.host,
    port: 0,
    ...(setup.tls === undefined ? {} : { tls: setup.tls }),
  })),
  ...processEffects<SvSetup>(
    ({ host }) => host,
    ({ dataFolder }) => dataFolder,
  ),
};
