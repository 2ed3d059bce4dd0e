/** The keys of a validator: those of the chart splice-validator, and ours under `callsign`. */
import { databaseKeys } from "./database-keys.ts";
import { VALIDATOR_ROOT, validatorPaths } from "./hocon-roots.ts";
import { instanceNameKeys } from "./instance-name-keys.ts";
import { type KeyTable, key, under } from "./key.ts";
import { DURATION, FLAG, identifier, PORT, TEXT, TEXTS, URL_TEXT, WHOLE } from "./key-type.ts";
import { KUBERNETES_KEYS, VALIDATOR_KUBERNETES_KEYS } from "./kubernetes-keys.ts";
import { MIGRATING_KEY } from "./migrating-key.ts";
import { processKeys, tlsKeys } from "./process-keys.ts";
import { VALIDATOR_UI_KEYS } from "./ui-keys.ts";
import { AUTHENTICATION_KEYS, CREDENTIAL_KEYS } from "./validator-auth-keys.ts";
import { SCAN_KEYS } from "./validator-scan-keys.ts";

const NETWORK_KEYS: KeyTable = [
  key("migration.id", WHOLE, "the network's current migration id", {
    variables: ["MIGRATION_ID"],
    hocon: validatorPaths("domain-migration-id"),
  }),
  MIGRATING_KEY,
  key(
    "svSponsorAddress",
    { kind: "url", mayBeEmpty: true },
    "the sponsor SV's URL; empty once the validator has its license",
    {
      variables: ["SPLICE_APP_VALIDATOR_SV_SPONSOR_ADDRESS", "SPONSOR_SV_URL", "SPONSOR_SV_ADDRESS"],
      hocon: validatorPaths("onboarding.sv-client.admin-api.url"),
    },
  ),
  key("onboardingSecretFrom.secretKeyRef.name", TEXT, "the secret with the onboarding secret", {
    otherwise: "`splice-app-validator-onboarding-validator`",
  }),
  key("onboardingSecretFrom.secretKeyRef.key", TEXT, "its key", { otherwise: "`secret`" }),
  key("onboardingSecretFrom.secretKeyRef.optional", FLAG, "whether it may be missing", {
    unused: "a validator with a license needs no secret",
  }),
  key(
    "callsign.onboardingSecret",
    { kind: "text", max: 4096 },
    "the onboarding secret itself, where there are no mounted secrets; not needed once there is a license",
    {
      isSecret: true,
      variables: ["SPLICE_APP_VALIDATOR_ONBOARDING_SECRET", "ONBOARDING_SECRET"],
      hocon: validatorPaths("onboarding.secret"),
      mounted: {
        name: "splice-app-validator-onboarding-validator",
        key: "secret",
        nameFrom: "onboardingSecretFrom.secretKeyRef.name",
        keyFrom: "onboardingSecretFrom.secretKeyRef.key",
      },
    },
  ),
];

const IDENTITY_KEYS: KeyTable = [
  key(
    "validatorPartyHint",
    identifier(185, "organization-function-enumerator"),
    "what the operator's party id begins with",
    {
      variables: ["SPLICE_APP_VALIDATOR_PARTY_HINT", "PARTY_HINT"],
      hocon: validatorPaths("validator-party-hint"),
    },
  ),
  key("nodeIdentifier", identifier(185), "what its participant's id begins with", {
    otherwise: "`validatorPartyHint`, if given by a variable",
    variables: ["SPLICE_APP_VALIDATOR_PARTICIPANT_IDENTIFIER", "PARTICIPANT_IDENTIFIER"],
    hocon: validatorPaths("canton-identifier-config.participant"),
  }),
  key("svValidator", FLAG, "whether it is an SV's own validator: one scan alone, no sponsor, no party hint", {
    otherwise: "`false`",
    variables: ["SPLICE_APP_VALIDATOR_SV_VALIDATOR"],
    hocon: validatorPaths("sv-validator"),
  }),
  key("validatorWalletUser", TEXT, "the user with the operator's wallet", {
    variables: ["SPLICE_APP_VALIDATOR_WALLET_USER_NAME", "WALLET_ADMIN_USER"],
  }),
  key(
    "validatorWalletUsers",
    TEXTS,
    "the users with the operator's wallet: one of this key and the one above",
    {
      hocon: validatorPaths("validator-wallet-users"),
    },
  ),
  key("contactPoint", { kind: "text", mayBeEmpty: true }, "whom other operators can ask; it is public", {
    variables: ["SPLICE_APP_CONTACT_POINT", "CONTACT_POINT"],
    hocon: validatorPaths("contact-point"),
  }),
  ...instanceNameKeys({
    networkName: { otherwise: "as a scan says", variables: ["SPLICE_APP_UI_NETWORK_NAME"] },
    networkFaviconUrl: { variables: ["SPLICE_APP_UI_NETWORK_FAVICON_URL"] },
    amuletName: { variables: ["SPLICE_APP_UI_AMULET_NAME"] },
    amuletNameAcronym: { variables: ["SPLICE_APP_UI_AMULET_NAME_ACRONYM"] },
    nameServiceName: { variables: ["SPLICE_APP_UI_NAME_SERVICE_NAME"] },
    nameServiceNameAcronym: { variables: ["SPLICE_APP_UI_NAME_SERVICE_NAME_ACRONYM"] },
  }),
];

const PARTICIPANT_TLS = [
  "participant-client.ledger-api.client-config.tls",
  "participant-client.admin-api.tls",
];
const tlsAt = (name: string) => validatorPaths(...PARTICIPANT_TLS.map((path) => `${path}.${name}`));

const CONNECTION_KEYS: KeyTable = [
  key(
    "participantAddress",
    { kind: "text", pattern: /^[a-zA-Z0-9.:[\]-]+$/, form: "a host name or address" },
    "the participant's host, at its usual port 7575",
    {
      otherwise: "`127.0.0.1`",
      variables: ["SPLICE_APP_VALIDATOR_PARTICIPANT_ADDRESS"],
      hocon: validatorPaths(
        "participant-client.ledger-api.client-config.address",
        "participant-client.admin-api.address",
      ),
    },
  ),
  ...under("callsign", [
    key("port", PORT, "port of the validator's API", {
      otherwise: "`5003`",
      variables: ["CALLSIGN_PORT"],
      hocon: validatorPaths("admin-api.port"),
    }),
    key("participantUrl", URL_TEXT, "the participant's JSON Ledger API", {
      otherwise: "port 7575 of `participantAddress`",
      variables: ["CALLSIGN_PARTICIPANT_URL"],
    }),
    key("participantAdminUrl", URL_TEXT, "the participant's admin API, if it has a port of its own", {
      otherwise: "`participantUrl`",
      variables: ["CALLSIGN_PARTICIPANT_ADMIN_URL"],
    }),
    key("participantTls.enabled", FLAG, "whether TLS is spoken to `participantAddress`", {
      otherwise: "whether any other key of it is given",
      hocon: tlsAt("enabled"),
    }),
    key(
      "participantTls.trustCollectionFile",
      TEXT,
      "PEM file of the authorities of the participant's certificate",
      {
        otherwise: "the machine's",
        hocon: tlsAt("trust-collection-file"),
      },
    ),
    key("participantTls.certChainFile", TEXT, "PEM file of the certificate that the validator shows", {
      hocon: tlsAt("client-cert.cert-chain-file"),
    }),
    key("participantTls.privateKeyFile", TEXT, "its private key, in PKCS#8", {
      hocon: tlsAt("client-cert.private-key-file"),
    }),
    key("topologyMetricsPollingInterval", DURATION, "how often the topology is read for its metrics", {
      otherwise: "never",
      hocon: validatorPaths("automation.topology-metrics-polling-interval"),
    }),
  ]),
];

const AUTOMATION_KEYS: KeyTable = [
  key("enableWallet", FLAG, "whether there is a wallet, with its API and automations", {
    otherwise: "`true`",
    hocon: validatorPaths("enable-wallet"),
  }),
  key("topup.enabled", FLAG, "whether traffic is bought", {
    otherwise: "whether `topup.targetThroughput` is given",
  }),
  key("topup.targetThroughput", { kind: "whole", min: 0, max: 1e12 }, "bytes a second; 0 buys nothing", {
    variables: ["TARGET_TRAFFIC_THROUGHPUT"],
    hocon: validatorPaths("domains.global.buy-extra-traffic.target-throughput"),
  }),
  key("topup.minTopupInterval", DURATION, "time from one purchase to the next, 30 seconds at least", {
    variables: ["MIN_TRAFFIC_TOPUP_INTERVAL"],
    hocon: validatorPaths("domains.global.buy-extra-traffic.min-topup-interval"),
  }),
  key("topup.reservedTraffic", { kind: "whole", min: 0, max: 1e12 }, "bytes that a purchase must exceed", {
    otherwise: "`200000`",
    hocon: validatorPaths("domains.global.reserved-traffic"),
  }),
  ...under("participantPruningSchedule", [
    key("cron", TEXT, "when the participant prunes: [six or seven fields](#pruning)", {
      otherwise: "an existing schedule is cleared",
      hocon: validatorPaths("participant-pruning-schedule.cron"),
    }),
    key("maxDuration", TEXT, "for how long", {
      hocon: validatorPaths("participant-pruning-schedule.max-duration"),
    }),
    key("retention", TEXT, "what is younger is kept; longer than `deduplicationDuration`", {
      hocon: validatorPaths("participant-pruning-schedule.retention"),
    }),
  ]),
  key("deduplicationDuration", DURATION, "for how long a command is known to be a repetition", {
    otherwise: "`24h`",
    hocon: validatorPaths("deduplication-duration"),
  }),
  key(
    "walletSweep.*.maxBalanceUSD",
    { kind: "number", min: 0 },
    "of a sender's party: the balance in dollars above which coin is sent on",
    { hocon: validatorPaths("wallet-sweep.*.max-balance-usd") },
  ),
  key(
    "walletSweep.*.minBalanceUSD",
    { kind: "number", min: 0 },
    "the balance in dollars that stays; at most `maxBalanceUSD`",
    {
      hocon: validatorPaths("wallet-sweep.*.min-balance-usd"),
    },
  ),
  key(
    "walletSweep.*.receiver",
    TEXT,
    "the party that it is sent to, or a whole name: the party that holds it then",
    {
      hocon: validatorPaths("wallet-sweep.*.receiver"),
    },
  ),
  key("walletSweep.*.useTransferPreapproval", FLAG, "whether it is sent by preapproval, not by an offer", {
    otherwise: "`false`",
    hocon: validatorPaths("wallet-sweep.*.use-transfer-preapproval"),
  }),
  key(
    "autoAcceptTransfers.*.fromParties",
    TEXTS,
    "of a receiver's party: senders whose offers are accepted",
    { hocon: validatorPaths("auto-accept-transfers.*.from-parties") },
  ),
  key(
    "additionalConfig",
    TEXT,
    "additional configuration in HOCON, as of a variable `ADDITIONAL_CONFIG_OTHER`",
    { isSecret: true },
  ),
  key(
    "additionalUsers",
    { kind: "list", of: { kind: "map" } },
    "further variables, as of `additionalEnvVars`",
    { isSecret: true },
  ),
  key(
    "participantIdentitiesDumpImport.newParticipantIdentifier",
    TEXT,
    "must be `nodeIdentifier`; a lost participant comes back by `callsign identity import`",
    { hocon: validatorPaths("participant-bootstrapping-dump.new-participant-identifier") },
  ),
];

export const VALIDATOR_KEYS: KeyTable = [
  ...NETWORK_KEYS,
  ...SCAN_KEYS,
  ...IDENTITY_KEYS,
  ...AUTHENTICATION_KEYS,
  ...VALIDATOR_UI_KEYS,
  ...CREDENTIAL_KEYS,
  ...CONNECTION_KEYS,
  ...tlsKeys("api", validatorPaths("admin-api.tls")),
  ...databaseKeys({
    databaseName: "cantonnet_validator",
    schema: "validator",
    variables: {
      server: "SPLICE_APP_POSTGRES_SERVER",
      port: "SPLICE_APP_POSTGRES_PORT",
      user: "SPLICE_APP_POSTGRES_USER",
      password: "SPLICE_APP_POSTGRES_PASSWORD",
      database: "SPLICE_APP_POSTGRES_DATABASE_NAME",
      schema: "SPLICE_APP_POSTGRES_SCHEMA",
    },
    storage: `${VALIDATOR_ROOT}.storage`,
  }),
  ...AUTOMATION_KEYS,
  ...processKeys({
    dataFolder: ".data/validator",
    healthPort: "`callsign.port`: the validator's API has both",
    address: validatorPaths("admin-api.address"),
  }),
  ...KUBERNETES_KEYS,
  ...VALIDATOR_KUBERNETES_KEYS,
];
