/**
 * An onboarding secret in its three forms: the validator's (base64 of JSON that names the SV as well), the ledger's (the
 * secret itself, or JSON together with a party hint), and any other text, which is a secret of this SV that its
 * configuration names.
 */

import { hash } from "node:crypto";
import { parseJsonText } from "@callsign/api";
import type { Randomness } from "@callsign/node";

export interface OnboardingSecret {
  readonly sponsoringSv: string;
  readonly secret: string;
  /** The only party hint that it is good for; null: any. */
  readonly partyHint: string | null;
}

const RANDOM_BYTES = 32;

export function makeSecret(
  { bytes }: Randomness,
  sponsoringSv: string,
  partyHint: string | null,
): OnboardingSecret {
  return { sponsoringSv, secret: Buffer.from(bytes(RANDOM_BYTES)).toString("base64"), partyHint };
}

/** The form that the validator is given. */
export function formatSecret({ sponsoringSv, secret, partyHint }: OnboardingSecret): string {
  return Buffer.from(JSON.stringify({ sponsoringSv, secret, partyHint })).toString("base64");
}

/** The form that the ledger keeps. */
export function formatStoredSecret({ sponsoringSv, secret, partyHint }: OnboardingSecret): string {
  if (partyHint === null) return secret;
  return JSON.stringify({ sv: sponsoringSv, secret, validator_party_hint: partyHint });
}

/** Reads every form; whatever is none of the first two is a secret of `ownSv`. */
export function parseSecret(text: string, ownSv: string): OnboardingSecret {
  const plain = { sponsoringSv: ownSv, secret: text, partyHint: null };
  if (text.startsWith("{")) return readObject(text, ["sv", "validator_party_hint"]) ?? plain;
  const decoded = Buffer.from(text, "base64").toString();
  return readObject(decoded, ["sponsoringSv", "partyHint"]) ?? plain;
}

function readObject(text: string, [svKey, hintKey]: readonly [string, string]): OnboardingSecret | null {
  const value = parseJsonText(text);
  if (typeof value !== "object" || value === null) return null;
  const { [svKey]: sponsoringSv, secret, [hintKey]: hint = null } = value as Record<string, unknown>;
  if (typeof sponsoringSv !== "string" || typeof secret !== "string") return null;
  if (hint !== null && typeof hint !== "string") return null;
  return { sponsoringSv, secret, partyHint: hint };
}

/** Secrets are looked for by this, so that neither rows nor the time that it takes say anything of them. */
export function hashSecret({ secret }: Pick<OnboardingSecret, "secret">): string {
  return hash("sha256", secret, "hex");
}
