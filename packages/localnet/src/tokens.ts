/**
 * The users of the local network and their tokens: signed with a secret that everybody knows, which is why the
 * network listens on this machine only.
 */
import { SignJWT } from "jose";
import type { NodeName } from "./ports.ts";

export const TOKEN_SECRET = "unsafe";
export const TOKEN_AUDIENCE = "https://canton.network.global";
/** The participants' administrator, as whom validators work. */
export const SERVICE_USER = "ledger-api-user";

export interface NodeSetting {
  /** The user whose wallet the node runs. */
  readonly walletUser: string;
  readonly partyHint: string;
  /** By which the node's validator comes in, at the first SV. */
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

/** Never expires. */
export function makeToken(user: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(user)
    .setAudience(TOKEN_AUDIENCE)
    .sign(new TextEncoder().encode(TOKEN_SECRET));
}
