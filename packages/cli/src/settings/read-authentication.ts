/** Tokens: which ones a role accepts, and which one the validator shows to its participant. */
import type { TokenKeysConfig, TokenSourceConfig, TokenVerifierConfig } from "@callsign/node";
import type { KeyReader } from "./key-reader.ts";
import type { ParticipantTokens } from "./setups.ts";

const DISABLED =
  "disableAuth is true: everybody who reaches a port of this process may do everything, without a token. " +
  "Never use it beyond one machine or a test";

/** Undefined if findings say what is missing. */
export function readTokenVerifier(
  reader: KeyReader,
): TokenVerifierConfig | { readonly kind: "none" } | undefined {
  if (isDisabled(reader)) return { kind: "none" };
  const audience = reader.text("auth.audience");
  const fix = "Give the audience of tokens for this API, or disableAuth: true for a test";
  if (audience === undefined) reader.require("auth.audience", fix);
  const keys = readKeys(reader);
  return audience === undefined || keys === undefined ? undefined : { ...keys, audience };
}

export function readParticipantTokens(reader: KeyReader): ParticipantTokens | undefined {
  if (isDisabled(reader)) return { kind: "none" };
  const [audience, scope] = [reader.text("auth.targetAudience"), reader.text("callsign.auth.targetScope")];
  if (audience === undefined && scope === undefined) {
    reader.require(
      "auth.targetAudience",
      "Give the audience of tokens for the ledger API, or disableAuth: true for a test",
    );
  }
  const keys = readKeys(reader);
  if (keys === undefined) return undefined;
  return {
    ...keys,
    ...(audience === undefined ? {} : { audience }),
    ...(scope === undefined ? {} : { scope }),
  };
}

function isDisabled(reader: KeyReader): boolean {
  if (reader.flag("disableAuth") !== true) return false;
  reader.warnings.push(DISABLED);
  return true;
}

function readKeys(reader: KeyReader): TokenKeysConfig | undefined {
  if (reader.text("callsign.auth.algorithm") === "hs-256-unsafe") {
    const secret = reader.text("callsign.auth.secret");
    if (secret === undefined)
      return reader.require("callsign.auth.secret", "hs-256-unsafe needs the secret that both sides share");
    reader.warnings.push(
      "tokens are signed with a shared secret (hs-256-unsafe), which is unsafe beyond one machine",
    );
    return { kind: "hs256", secret };
  }
  const jwksUrl = reader.text("auth.jwksUrl");
  const milliseconds = (name: string) => {
    const seconds = reader.number(`auth.jwks.${name}`);
    return seconds === undefined ? undefined : Math.ceil(1000 * seconds);
  };
  const [connection, reading] = [milliseconds("connectionTimeout"), milliseconds("readTimeout")];
  if (jwksUrl !== undefined)
    return {
      kind: "jwks",
      jwksUrl,
      ...(connection === undefined ? {} : { connectionTimeoutMilliseconds: connection }),
      ...(reading === undefined ? {} : { readTimeoutMilliseconds: reading }),
    };
  return reader.require(
    "auth.jwksUrl",
    "Give the URL of your identity provider's key set, or disableAuth: true for a test",
  );
}

const SECRET = "splice-app-validator-ledger-api-auth";
const USER = "ledger-api-user";

interface ServiceUserSettings {
  readonly userId: string;
  readonly credentials: TokenSourceConfig;
}

export function readServiceUser(reader: KeyReader): ServiceUserSettings | undefined {
  const at = (name: string) => reader.text(`callsign.participantAuth.${name}`);
  const isFixed = reader.flag("fixedTokens") === true || reader.flag("cluster.fixedTokens") === true;
  const type =
    at("type") ?? (isFixed ? "static" : reader.flag("disableAuth") === true ? "none" : "client-credentials");
  if (type === "none") return { userId: at("user") ?? USER, credentials: { kind: "none" } };
  const read = (name: string, key: string) => {
    const value = at(name);
    const fix = `Mount ${SECRET}/${key} and give --secrets DIR, or set its environment variable (callsign config explain callsign.participantAuth.${name})`;
    return value ?? reader.require(`callsign.participantAuth.${name}`, fix);
  };
  if (type === "static") {
    const [token, userId] = [read("token", "token"), read("user", "ledger-api-user")];
    return token === undefined || userId === undefined
      ? undefined
      : { userId, credentials: { kind: "static", token } };
  }
  if (type === "self-signed") {
    const [user, audience, secret] = [
      at("user") ?? USER,
      read("audience", "audience"),
      read("secret", "secret"),
    ];
    if (audience === undefined || secret === undefined) return undefined;
    return { userId: user, credentials: { kind: "self-signed", user, audience, secret } };
  }
  const [wellKnownUrl, clientId] = [read("wellKnownConfigUrl", "url"), read("clientId", "client-id")];
  const [clientSecret, audience] = [read("clientSecret", "client-secret"), read("audience", "audience")];
  if (wellKnownUrl === undefined || clientId === undefined) return undefined;
  if (clientSecret === undefined || audience === undefined) return undefined;
  const scope = at("scope");
  return {
    userId: at("user") ?? `${clientId}@clients`,
    credentials: {
      kind: "client-credentials",
      wellKnownUrl,
      clientId,
      clientSecret,
      audience,
      ...(scope === undefined ? {} : { scope }),
    },
  };
}
