/** The users of the local network and their tokens, which are signed with a public secret. */
import type { TokenVerifierConfig } from "@callsign/node";
import { SignJWT } from "jose/jwt/sign";
import type { NodeName } from "./ports.ts";

export const TOKEN_SECRET = "unsafe";
export const TOKEN_AUDIENCE = "https://canton.network.global";
/** The participants' administrator. The validators act as this user. */
export const SERVICE_USER = "ledger-api-user";
/** Tokens are checked with the secret and the audience. */
export const AUTH = { kind: "hs256", secret: TOKEN_SECRET, audience: TOKEN_AUDIENCE } as const;

/** Tokens of LocalNet's secret, and tokens of the network's own login. */
export function acceptLogins(jwksUrl: string): readonly TokenVerifierConfig[] {
  return [AUTH, { kind: "jwks", jwksUrl, audience: TOKEN_AUDIENCE }];
}

export interface NodeSetting {
  /** The owner of the node's wallet. */
  readonly walletUser: string;
  readonly partyHint: string;
  /** The node's validator shows it to the first SV to be onboarded. */
  readonly onboardingSecret: string;
}

export const NODE_SETTINGS: Readonly<Record<NodeName, NodeSetting>> = {
  "app-user": {
    walletUser: "app-user",
    partyHint: "app_user_localnet-localparty-1",
    onboardingSecret: "app-user-validator-onboarding-secret",
  },
  "app-provider": {
    walletUser: "app-provider",
    partyHint: "app_provider_localnet-localparty-1",
    onboardingSecret: "app-provider-validator-onboarding-secret",
  },
  sv: { walletUser: "sv", partyHint: "sv", onboardingSecret: "sv-validator-onboarding-secret" },
};

/** The secrets by which the nodes' validators are onboarded, by the nodes' names. */
export const ONBOARDING_SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NODE_SETTINGS).map(([name, { onboardingSecret }]) => [name, onboardingSecret]),
);

/** A token that never expires. */
export function makeToken(user: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(user)
    .setAudience(TOKEN_AUDIENCE)
    .sign(new TextEncoder().encode(TOKEN_SECRET));
}
