/** The tokens that this process shows to another one, by configuration. */
import { SignJWT } from "jose/jwt/sign";
import { ClientCredentialsTokens } from "./client-credentials.ts";
import type { ClientCredentials } from "./openid-tokens.ts";
import type { TokenSource, TokenSourceParts } from "./token-source.ts";

export type TokenSourceConfig =
  /** An OpenID provider gives tokens for a client's secret. */
  | ({ readonly kind: "client-credentials" } & ClientCredentials)
  /** HS256, without an end. Unsafe beyond one machine: the other process shares the secret. */
  | {
      readonly kind: "self-signed";
      readonly audience: string;
      readonly user: string;
      readonly secret: string;
    }
  | { readonly kind: "static"; readonly token: string }
  | { readonly kind: "none" };

/** Throws an error that names the key if a value cannot be used. */
export function openTokenSource(config: TokenSourceConfig, parts: TokenSourceParts): TokenSource {
  switch (config.kind) {
    case "client-credentials": {
      const tokens = new ClientCredentialsTokens(config, parts);
      return { token: tokens.token, onRejected: tokens.onRejected };
    }
    case "self-signed": {
      const signed = signToken(config);
      return { token: () => signed, onRejected: () => undefined };
    }
    case "static": {
      const token = config.token.trim();
      if (!/^\S+$/.test(token)) throw new Error("the static token is empty, or has white space inside");
      return { token: async () => token, onRejected: () => undefined };
    }
    case "none":
      return { token: async () => undefined, onRejected: () => undefined };
  }
}

async function signToken({
  audience,
  user,
  secret,
}: Extract<TokenSourceConfig, { readonly kind: "self-signed" }>): Promise<string> {
  const claims = new SignJWT({ aud: audience, sub: user }).setProtectedHeader({ alg: "HS256", typ: "JWT" });
  return claims.sign(new TextEncoder().encode(secret));
}
