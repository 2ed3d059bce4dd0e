/**
 * New secrets for validators. There are never more unused ones than an operator could look through. Self-service, on a
 * network for development, is rate limited and leaves room for secrets that the operator makes.
 */
import { formatPartyId } from "@callsign/ledger";
import type { KeyedQueue, TokenBucket } from "@callsign/node";
import {
  MAX_OPEN_SECRETS,
  MAX_OPEN_SECRETS_FOR_SELF_SERVICE,
  SECRET_SECONDS,
  SELF_SERVICE,
} from "../limits/limits.ts";
import { formatSecret, makeSecret } from "./onboarding-secret.ts";
import { getDsoRules, putSecrets, type SvApp } from "./sv-app.ts";
import { invalidRequest, SvAppError } from "./sv-app-error.ts";

const PREPARING = "prepare";

export interface Preparation {
  readonly expires_in: number;
  readonly party_hint: string | null;
}

/** Returns the secret that the validator is configured with. */
export function prepareOnboarding(app: SvApp, turns: KeyedQueue, request: Preparation): Promise<string> {
  const { expires_in: seconds, party_hint: hint } = request;
  if (seconds < 1 || seconds > SECRET_SECONDS) {
    throw invalidRequest(
      `expires_in is ${seconds}, and must be 1 to ${SECRET_SECONDS} seconds: no secret lives longer than 48 hours`,
    );
  }
  if (hint !== null && !formatPartyId({ hint, namespace: "x" }).ok) {
    throw invalidRequest(
      `party_hint is ${JSON.stringify(hint.slice(0, 200))}, and must be what a party id can begin with: 1 to 185 ` +
        "letters, digits, ':', '-', '_' and spaces, without '::' and not ending with ':'",
    );
  }
  return make(app, turns, { seconds, hint, maxOpen: MAX_OPEN_SECRETS });
}

/** Secrets without an operator, on a network for development. */
export function prepareForDevelopment(app: SvApp, turns: KeyedQueue, bucket: TokenBucket): Promise<string> {
  if (!getDsoRules(app).payload.isDevNet) {
    throw new SvAppError(
      "not for development",
      "This is not a network for development: ask the operator of an SV for an onboarding secret",
    );
  }
  if (!bucket.take()) {
    throw new SvAppError(
      "limit reached",
      `Too many onboarding secrets were asked for: there is ${SELF_SERVICE.perSecond} a second. Ask again later.`,
    );
  }
  const maxOpen = MAX_OPEN_SECRETS_FOR_SELF_SERVICE;
  return make(app, turns, { seconds: SECRET_SECONDS, hint: null, maxOpen });
}

interface Making {
  readonly seconds: number;
  readonly hint: string | null;
  readonly maxOpen: number;
}

function make(app: SvApp, turns: KeyedQueue, { seconds, hint, maxOpen }: Making): Promise<string> {
  return turns.run(PREPARING, async () => {
    const open = app.onboardings.countOpen();
    if (open >= maxOpen) {
      throw new SvAppError(
        "limit reached",
        `This SV has ${open} onboarding secrets that nobody has used, and makes no more than ${maxOpen}: use one, ` +
          "or wait until some have expired",
      );
    }
    const secret = makeSecret(app.host.randomness, app.party, hint);
    const error = await putSecrets(app, [secret], seconds);
    if (error !== null) {
      app.log.error({ code: error.code, cause: error.cause }, "making an onboarding secret failed");
      throw new SvAppError(
        "ledger refused",
        `Could not prepare onboarding: the ledger answers ${error.code}`,
      );
    }
    return formatSecret(secret);
  });
}
