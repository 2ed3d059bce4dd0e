/** The keys of `callsign sv`, all of them ours: a network of SVs in one process, or some SVs of a network on a shared log. */
import { instanceNameKeys } from "./instance-name-keys.ts";
import { type KeyTable, key, under } from "./key.ts";
import { DURATION, FLAG, identifier, type KeyType, PORT, TEXT, TEXTS, URL_TEXT, WHOLE } from "./key-type.ts";
import { LOG_KEYS } from "./log-keys.ts";
import { processKeys, tlsKeys } from "./process-keys.ts";
import { disableAuthKey } from "./token-keys.ts";
import { SV_UI_KEYS } from "./ui-keys.ts";
import { WORKERS_KEY } from "./workers-key.ts";

const DOLLARS: KeyType = {
  kind: "text",
  pattern: /^(?=.*[1-9])\d{1,10}(\.\d{1,10})?$/,
  form: "a decimal number above 0",
};

export const SV_KEYS: KeyTable = [
  ...under("svs[]", [
    key("name", identifier(60), "what the network calls the SV"),
    key("ports.scan", PORT, "port of its scan; 0 for any that is free", {
      otherwise: "`5012`, and 100 more for each SV before it",
    }),
    key("ports.sequencer", PORT, "port of its sequencer", {
      otherwise: "`5008`, and 100 more for each SV before it",
    }),
    key("ports.app", PORT, "port of its SV app", { otherwise: "`5014`, and 100 more for each SV before it" }),
    key("publicUrls.scan", URL_TEXT, "the URL of its scan that it publishes", {
      otherwise: "the one it listens on",
    }),
    key("publicUrls.sequencer", URL_TEXT, "the URL of its sequencer that it publishes", {
      otherwise: "the one it listens on",
    }),
    key("operators", TEXTS, "users who may operate it", { otherwise: "none" }),
    key("expectedSecrets", TEXTS, "onboarding secrets of validators that are to come", {
      isSecret: true,
      otherwise: "none",
    }),
    key(
      "rewardWeight",
      { kind: "whole", min: 1, max: 1_000_000 },
      "its weight when rewards are shared, in basis points",
      { otherwise: "`10000`" },
    ),
    ...under("joinWithKeyOnboarding", [
      key(
        "sponsorApiUrl",
        URL_TEXT,
        "the SV app of the SV that sponsors this one, for an SV that joins a founded network",
        {
          otherwise: "the SV has signed the founding",
        },
      ),
      key("publicKey", TEXT, "the key by which the SVs know it: on P-256, SPKI in base64"),
      key("privateKey", TEXT, "the key that signs its token: PKCS #8 in base64", { isSecret: true }),
    ]),
  ]),
  ...under("approvedSvIdentities[]", [
    key("name", TEXT, "the name of an SV that may join the network"),
    key("publicKey", TEXT, "its key: on P-256, SPKI in base64"),
    key(
      "rewardWeightBps",
      { kind: "whole", min: 0, max: 1_000_000 },
      "its weight; every SV has to name the same",
    ),
  ]),
  key("migration.id", WHOLE, "the network's migration id; `callsign network migrate` leads to the next one", {
    otherwise: "`0`",
    variables: ["MIGRATION_ID"],
  }),
  WORKERS_KEY,
  ...LOG_KEYS,
  key(
    "log.retentionDays",
    { kind: "whole", min: 1, max: 36_500 },
    "days that log entries and members' streams are kept at least; on a shared log the fewest days of all SVs count",
    { otherwise: "`30`" },
  ),
  key(
    "log.snapshotSources",
    { kind: "list", of: URL_TEXT },
    "sequencers of other SVs, from which an SV that lacks trimmed entries fetches a snapshot",
    { otherwise: "none" },
  ),
  ...under("network", [
    key("isDevNet", FLAG, "whether everybody may tap coin", { otherwise: "`false`" }),
    key("movableClock", FLAG, "whether the network's clock may be moved forward", { otherwise: "`false`" }),
    key("migrationId", WHOLE, "another name of `migration.id`", { otherwise: "`migration.id`" }),
    key("tickDuration", DURATION, "half the life of a mining round", { otherwise: "`10m`" }),
    key("freeTrafficBytes", WHOLE, "bytes that a member may send for free in twenty minutes", {
      otherwise: "`400000`",
    }),
    key("amuletPrice", DOLLARS, "dollars for a coin", { otherwise: "`0.005`" }),
    // As Splice's SV app calls the terms of its founding.
    ...under("initialAnsConfig", [
      key("entryFee", DOLLARS, "dollars for a name", { otherwise: "`1.0`" }),
      key("entryLifetime", DURATION, "how long a name lives for one payment", { otherwise: "`90d`" }),
      key(
        "renewalDuration",
        DURATION,
        "how long before its end a name can be renewed: longer than a tick, shorter than its lifetime",
        { otherwise: "`30d`" },
      ),
    ]),
    ...instanceNameKeys({ nameServiceNameAcronym: { otherwise: "`CNS`" } }),
  ]),
  key("auth.audience", TEXT, "the audience of operators' tokens"),
  key("auth.jwksUrl", URL_TEXT, "the key set of their issuer"),
  disableAuthKey("no token is needed"),
  ...SV_UI_KEYS,
  ...tlsKeys("api"),
  ...processKeys({ dataFolder: ".data/sv", healthPort: "`5003`", address: [] }),
];
