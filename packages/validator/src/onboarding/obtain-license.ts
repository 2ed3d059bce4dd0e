/**
 * Obtains the license that a validator needs. With an onboarding secret the validator shows it to its sponsor SV;
 * without one it waits until somebody has given it a license. Every start may repeat all of it: the same party may show
 * the same secret again.
 */
import { createClient, findSpliceMessage, HttpError, svApi } from "@callsign/api";
import { type PartyId, ValidatorLicense } from "@callsign/ledger";
import { Backoff, type BackoffOptions, type Host, type Log, SPOKEN_VERSION, sleep } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { listActivePayloads } from "../ledger/list-active.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { MAX_SECRET_SENDINGS, SECRET_BACKOFF, SPONSOR_CALL_MILLISECONDS } from "../limits/limits.ts";

/** The sponsor of a validator, and the secret for it. */
export interface OnboardingConfig {
  /** The sponsor's base url, with `/api/sv`. */
  readonly svUrl: string;
  /** Valid once, and for 48 hours; not needed any more once there is a license. */
  readonly secret: string;
}

export interface LicenseParts {
  readonly participant: ParticipantClient;
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
  readonly onboarding: OnboardingConfig | undefined;
  /** An address for other operators' questions about this validator; none if empty. */
  readonly contactPoint: string;
  /** Called with the reason for waiting, for people. */
  readonly onWaiting: (reason: string) => void;
  readonly signal: AbortSignal;
  readonly host: Host;
  readonly log: Log;
  readonly backoff?: BackoffOptions;
}

/** Throws for a configuration that no SV would accept. */
export function checkOnboarding(onboarding: OnboardingConfig | undefined): void {
  if (onboarding === undefined) return;
  const { svUrl, secret } = onboarding;
  const url = URL.parse(svUrl);
  const isPlain = url !== null && url.username === "" && url.password === "" && url.search === "";
  if (!isPlain || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Error(
      "onboarding.svUrl is the sponsor SV's http or https address, such as https://sv.example.com/api/sv, without a " +
        "user, a password or a query",
    );
  }
  if (secret === "")
    throw new Error("onboarding.secret is empty: ask the sponsor SV for one, or leave onboarding out");
}

/** Resolves once the license is there, and rejects if aborted before. */
export async function obtainLicense(parts: LicenseParts): Promise<void> {
  if (await hasLicense(parts)) return;
  if (parts.onboarding === undefined) {
    parts.onWaiting(
      `${parts.operatorParty} has no validator license, and no onboarding is configured: give the sponsor SV's url ` +
        "and an onboarding secret of it",
    );
  } else {
    await showSecret(parts, parts.onboarding);
  }
  await waitForLicense(parts);
  parts.signal.throwIfAborted();
}

async function hasLicense({ participant, operatorParty, dso }: LicenseParts): Promise<boolean> {
  // Anybody may create licenses of a DSO of their own.
  for await (const license of listActivePayloads(participant, operatorParty, ValidatorLicense))
    if (license.validator === operatorParty && license.dso === dso) return true;
  return false;
}

/** After the last sending the license may still come by other means. */
async function showSecret(parts: LicenseParts, { svUrl, secret }: OnboardingConfig): Promise<void> {
  const { operatorParty, contactPoint, onWaiting, signal, log, host } = parts;
  const connections = host.http.openClient();
  const sponsor = createClient(svApi, {
    fetch: connections.fetch,
    timers: host.timers,
    baseUrl: svUrl,
    timeoutMilliseconds: SPONSOR_CALL_MILLISECONDS,
  });
  const body = {
    party_id: operatorParty,
    secret,
    version: SPOKEN_VERSION.version,
    ...(contactPoint === "" ? {} : { contact_point: contactPoint }),
  };
  try {
    const backoff = new Backoff(parts.backoff ?? SECRET_BACKOFF);
    for (let sending = 1; !signal.aborted; sending++) {
      try {
        await sponsor.onboardValidator({ body }, { signal });
        return onWaiting("the sponsor SV has made it a validator: its license is on its way");
      } catch (error) {
        if (signal.aborted) return;
        const reason = explain(svUrl, error);
        if (sending === MAX_SECRET_SENDINGS) {
          log.error({ reason, sendings: sending }, "the onboarding secret is not sent again");
          return onWaiting(`${reason}. It was tried ${sending} times: start the validator anew to try again`);
        }
        log.warn({ reason, sending }, "the validator has no license yet; trying again");
        onWaiting(reason);
      }
      if (await hasLicense(parts).catch(() => false)) return;
      await sleep(backoff.next(), { timers: host.timers, signal });
    }
  } finally {
    connections.close();
  }
}

/** A reason from which the operator sees what to do. */
function explain(svUrl: string, error: unknown): string {
  if (!(error instanceof HttpError))
    return `the sponsor SV at ${svUrl} does not answer: ${describeError(error)}`;
  const said = `the sponsor SV at ${svUrl} answers ${error.status}: ${findSpliceMessage(error) ?? "nothing more"}`;
  return error.status === 401 ? `${said} (this is about the configured onboarding secret)` : said;
}

async function waitForLicense(parts: LicenseParts): Promise<void> {
  const { signal, host, backoff: pauses = SECRET_BACKOFF } = parts;
  const backoff = new Backoff({ ...pauses, firstMilliseconds: pauses.firstMilliseconds / 4 });
  while (!signal.aborted && !(await hasLicense(parts)))
    await sleep(backoff.next(), { timers: host.timers, signal });
}
