/** The keys of a validator about tokens: those it accepts, and its own for the participant. */
import { validatorPaths } from "./hocon-roots.ts";
import { type KeyTable, key, under } from "./key.ts";
import { DURATION, FLAG, TEXT, URL_TEXT } from "./key-type.ts";
import { disableAuthKey, sharedSecretKeys } from "./token-keys.ts";

export const AUTHENTICATION_KEYS: KeyTable = [
  key("auth.audience", TEXT, "the audience of tokens for the validator", {
    variables: ["SPLICE_APP_VALIDATOR_AUTH_AUDIENCE", "VALIDATOR_AUTH_AUDIENCE"],
    hocon: validatorPaths("auth.audience"),
  }),
  key("auth.jwksUrl", URL_TEXT, "the key set of their issuer", {
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_URL", "AUTH_JWKS_URL"],
    hocon: validatorPaths("auth.jwks-url"),
  }),
  key("auth.jwks.connectionTimeout", DURATION, "how long connecting to the key set may take", {
    otherwise: "`10s`",
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_CONNECTION_TIMEOUT"],
    hocon: validatorPaths("auth.connection-timeout"),
  }),
  key("auth.jwks.readTimeout", DURATION, "how long its answer may take", {
    otherwise: "`10s`",
    variables: ["SPLICE_APP_VALIDATOR_AUTH_JWKS_READ_TIMEOUT"],
    hocon: validatorPaths("auth.read-timeout"),
  }),
  ...sharedSecretKeys({
    algorithm: validatorPaths("auth.algorithm"),
    secret: validatorPaths("auth.secret"),
  }),
  disableAuthKey("no token is needed, here and at the participant; set it in both"),
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
        hocon: validatorPaths(`${CREDENTIALS}.type`),
      },
    ),
    key("user", TEXT, "the participant's user that the validator is", {
      otherwise: "`<client id>@clients`",
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_USER_NAME", "LEDGER_API_ADMIN_USER"],
      hocon: validatorPaths("ledger-api-user", `${CREDENTIALS}.user`),
      mounted: { name: SERVICE_SECRET, key: "ledger-api-user" },
    }),
    key("wellKnownConfigUrl", URL_TEXT, "the OpenID configuration of the issuer", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_URL", "AUTH_WELLKNOWN_URL"],
      hocon: validatorPaths(`${CREDENTIALS}.well-known-config-url`),
      mounted: { name: SERVICE_SECRET, key: "url" },
    }),
    key("clientId", TEXT, "the validator's client id", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_CLIENT_ID", "VALIDATOR_AUTH_CLIENT_ID"],
      hocon: validatorPaths(`${CREDENTIALS}.client-id`),
      mounted: { name: SERVICE_SECRET, key: "client-id" },
    }),
    key("clientSecret", { kind: "text", max: 4096 }, "its client secret", {
      isSecret: true,
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_CLIENT_SECRET", "VALIDATOR_AUTH_CLIENT_SECRET"],
      hocon: validatorPaths(`${CREDENTIALS}.client-secret`),
      mounted: { name: SERVICE_SECRET, key: "client-secret" },
    }),
    key("audience", TEXT, "the audience of its tokens: the participant's `auth.targetAudience`", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_AUDIENCE", "LEDGER_API_AUTH_AUDIENCE"],
      hocon: validatorPaths(`${CREDENTIALS}.audience`),
      mounted: { name: SERVICE_SECRET, key: "audience" },
    }),
    key("scope", TEXT, "the scope that is asked for", {
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_SCOPE", "LEDGER_API_AUTH_SCOPE"],
      hocon: validatorPaths(`${CREDENTIALS}.scope`),
      mounted: { name: SERVICE_SECRET, key: "scope" },
    }),
    key("token", { kind: "text", max: 16_000 }, "the fixed token of `static`", {
      isSecret: true,
      variables: ["SPLICE_APP_VALIDATOR_LEDGER_API_AUTH_TOKEN"],
      hocon: validatorPaths(`${CREDENTIALS}.token`),
      mounted: { name: SERVICE_SECRET, key: "token" },
    }),
    key("secret", { kind: "text", max: 1000 }, "the shared secret of `self-signed`", {
      isSecret: true,
      hocon: validatorPaths(`${CREDENTIALS}.secret`),
    }),
  ]),
  key("fixedTokens", FLAG, "the token is `token` of the secret", { otherwise: "`false`" }),
  key("cluster.fixedTokens", FLAG, "the same", { otherwise: "`false`" }),
];
