/**
 * New secrets for validators. There are never more open ones than an operator could look through; whoever helps
 * themselves on a network for development must leave room for those that the operator makes, and takes them slowly.
 */
import { spliceError } from "@callsign/api";
import { formatPartyId } from "@callsign/ledger";
import { type KeyedQueue, Refusal, systemHost, TokenBucket } from "@callsign/node";
import { formatSecret, makeSecret } from "./onboarding-secret.ts";
import { getDsoRules, keepSecrets, SECRET_SECONDS, type SvApp } from "./sv-app.ts";

/** Open secrets of one SV. */
const MAX_OPEN = 1000;
const MAX_OPEN_FOR_SELF_SERVICE = 500;
const SELF_SERVICE_AT_ONCE = 20;
const SELF_SERVICE_PER_SECOND = 1;

const PREPARING = "prepare";

export interface Preparation {
  readonly expires_in: number;
  readonly party_hint: string | null;
}

/** What the validator is to be configured with. */
export function prepareOnboarding(app: SvApp, turns: KeyedQueue, request: Preparation): Promise<string> {
  const { expires_in: seconds, party_hint: hint } = request;
  if (seconds < 1 || seconds > SECRET_SECONDS) {
    throw refuse(
      400,
      `expires_in is ${seconds}, and must be 1 to ${SECRET_SECONDS} seconds: no secret lives longer than 48 hours`,
    );
  }
  if (hint !== null && !formatPartyId({ hint, namespace: "x" }).ok) {
    throw refuse(
      400,
      `party_hint is ${JSON.stringify(hint.slice(0, 200))}, and must be what a party id can begin with: 1 to 185 ` +
        "letters, digits, ':', '-', '_' and spaces, without '::' and not ending with ':'",
    );
  }
  return make(app, turns, { seconds, hint, maxOpen: MAX_OPEN });
}

/** For whoever asks, where the network is for development. */
export class SelfService {
  readonly #bucket = new TokenBucket({
    capacity: SELF_SERVICE_AT_ONCE,
    perSecond: SELF_SERVICE_PER_SECOND,
    ...systemHost.clock,
  });

  prepare(app: SvApp, turns: KeyedQueue): Promise<string> {
    if (!getDsoRules(app).payload.isDevNet) {
      throw refuse(
        501,
        "This is not a network for development: ask the operator of an SV for an onboarding secret",
      );
    }
    if (!this.#bucket.take()) {
      throw refuse(
        429,
        `Too many onboarding secrets were asked for: there is ${SELF_SERVICE_PER_SECOND} a second. Ask again later.`,
      );
    }
    return make(app, turns, { seconds: SECRET_SECONDS, hint: null, maxOpen: MAX_OPEN_FOR_SELF_SERVICE });
  }
}

interface Making {
  readonly seconds: number;
  readonly hint: string | null;
  readonly maxOpen: number;
}

function make(app: SvApp, turns: KeyedQueue, { seconds, hint, maxOpen }: Making): Promise<string> {
  return turns.run(PREPARING, async () => {
    const open = app.index.onboardings.countOpen();
    if (open >= maxOpen) {
      throw refuse(
        429,
        `This SV has ${open} onboarding secrets that nobody has used, and makes no more than ${maxOpen}: use one, ` +
          "or wait until some have expired",
      );
    }
    const secret = makeSecret(app.party, hint);
    const objection = await keepSecrets(app, [secret], seconds);
    if (objection !== null) {
      app.log.error({ code: objection.code, cause: objection.cause }, "an onboarding secret was not taken");
      throw refuse(500, `Could not prepare onboarding: the ledger answers ${objection.code}`);
    }
    return formatSecret(secret);
  });
}

function refuse(status: number, error: string): Refusal {
  return new Refusal(spliceError(status, error));
}
