/** The keys of a validator about tokens: those it accepts, and its own for the participant. */
import { type KeyTable, key, under } from "./key.ts";
import { DURATION, FLAG, TEXT, URL_TEXT } from "./key-type.ts";

/** The application's block in HOCON, as Splice's image names it. */
export const VALIDATOR_ROOT = "canton.validator-apps.validator_backend";

const at = (...paths: readonly string[]) => paths.map((path) => `${VALIDATOR_ROOT}.${path}`);

export const AUTHENTICATION_KEYS: KeyTable = [
  key("auth.audience", TEXT, "the audience of tokens for the validator", {
    variables: ["SPLICE_APP_VALIDATOR_AUTH_AUDIENCE", "VALIDATOR_AUTH_AUDIENCE"],
    hocon: at("auth.audience"),
  }),
  key("auth.jwksUrl", URL_TEXT, "the key set of their issuer", {
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_URL", "AUTH_JWKS_URL"],
    hocon: at("auth.jwks-url"),
  }),
  key("auth.jwks.connectionTimeout", DURATION, "how long connecting to the key set may take", {
    otherwise: "`10s`",
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_CONNECTION_TIMEOUT"],
    hocon: at("auth.connection-timeout"),
  }),
  key("auth.jwks.readTimeout", DURATION, "how long its answer may take", {
    otherwise: "`10s`",
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_READ_TIMEOUT"],
    hocon: at("auth.read-timeout"),
  }),
  key(
    "callsign.auth.algorithm",
    { kind: "choice", of: ["rs-256", "hs-256-unsafe"] },
    "how tokens are signed; the second is for one machine alone",
    {
      otherwise: "`rs-256`",
      hocon: at("auth.algorithm"),
    },
  ),
  key("callsign.auth.secret", { kind: "text", max: 1000 }, "the shared secret of `hs-256-unsafe`", {
    isSecret: true,
    hocon: at("auth.secret"),
  }),
  key("disableAuth", FLAG, "no token is needed, here and at the participant; set it in both", {
    otherwise: "`false`",
    variables: ["CALLSIGN_DISABLE_AUTH"],
  }),
];

const SERVICE_SECRET = "splice-app-validator-ledger-api-auth";
const CREDENTIALS = "participant-client.ledger-api.auth-config";

/** The credentials that the validator shows to its participant. */
export const CREDENTIAL_KEYS: KeyTable = [
  ...under("callsign.participantAuth", [
    key(
      "type",
      { kind: "choice", of: ["client-credentials", "self-signed", "static", "none"] },
      "how the validator gets its token",
      {
        otherwise: "`client-credentials`; `none` with `disableAuth`",
        hocon: at(`${CREDENTIALS}.type`),
      },
    ),
    key("user", TEXT, "the participant's user that the validator is", {
      otherwise: "`<client id>@clients`",
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_USER_NAME", "LEDGER_API_ADMIN_USER"],
      hocon: at("ledger-api-user", `${CREDENTIALS}.user`),
      mounted: { name: SERVICE_SECRET, key: "ledger-api-user" },
    }),
    key("wellKnownConfigUrl", URL_TEXT, "the OpenID configuration of the issuer", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_URL", "AUTH_WELLKNOWN_URL"],
      hocon: at(`${CREDENTIALS}.well-known-config-url`),
      mounted: { name: SERVICE_SECRET, key: "url" },
    }),
    key("clientId", TEXT, "the validator's client id", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_CLIENT_ID", "VALIDATOR_AUTH_CLIENT_ID"],
      hocon: at(`${CREDENTIALS}.client-id`),
      mounted: { name: SERVICE_SECRET, key: "client-id" },
    }),
    key("clientSecret", { kind: "text", max: 4096 }, "its client secret", {
      isSecret: true,
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_CLIENT_SECRET", "VALIDATOR_AUTH_CLIENT_SECRET"],
      hocon: at(`${CREDENTIALS}.client-secret`),
      mounted: { name: SERVICE_SECRET, key: "client-secret" },
    }),
    key("audience", TEXT, "the audience of its tokens: the participant's `auth.targetAudience`", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_AUDIENCE", "LEDGER_API_AUTH_AUDIENCE"],
      hocon: at(`${CREDENTIALS}.audience`),
      mounted: { name: SERVICE_SECRET, key: "audience" },
    }),
    key("scope", TEXT, "the scope that is asked for", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_SCOPE", "LEDGER_API_AUTH_SCOPE"],
      hocon: at(`${CREDENTIALS}.scope`),
      mounted: { name: SERVICE_SECRET, key: "scope" },
    }),
    key("token", { kind: "text", max: 16_000 }, "the fixed token of `static`", {
      isSecret: true,
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_TOKEN"],
      hocon: at(`${CREDENTIALS}.token`),
      mounted: { name: SERVICE_SECRET, key: "token" },
    }),
    key("secret", { kind: "text", max: 1000 }, "the shared secret of `self-signed`", {
      isSecret: true,
      hocon: at(`${CREDENTIALS}.secret`),
    }),
  ]),
  key("fixedTokens", FLAG, "the token is `token` of the secret", { otherwise: "`false`" }),
  key("cluster.fixedTokens", FLAG, "the same", { otherwise: "`false`" }),
];
