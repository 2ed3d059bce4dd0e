/**
 * Obtains the license that a validator needs. With an onboarding secret the validator shows it to its sponsor SV; with a
 * sponsor alone it asks for a secret, which a DevNet hands out to everybody; without a sponsor it waits until somebody
 * has given it a license. Every start may repeat all of it: the same party may show the same secret again.
 */
import { createClient, findSpliceMessage, HttpError, svApi } from "@callsign/api";
import { type PartyId, ValidatorLicense } from "@callsign/ledger";
import {
  Backoff,
  type BackoffOptions,
  findOtherRole,
  type Host,
  type Log,
  SPOKEN_VERSION,
  sleep,
} from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { listActivePayloads } from "../ledger/list-active.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import {
  MAX_SECRET_REQUESTS,
  MAX_SECRET_SENDINGS,
  SECRET_BACKOFF,
  SPONSOR_CALL_MILLISECONDS,
} from "../limits/limits.ts";
import type { OnboardingConfig } from "../settings/onboarding-settings.ts";

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
async function showSecret(parts: LicenseParts, { svUrl, secret = "" }: OnboardingConfig): Promise<void> {
  const { operatorParty, contactPoint, onWaiting, signal, log, host } = parts;
  const connections = host.http.openClient();
  const sponsor = createClient(svApi, {
    fetch: connections.fetch,
    timers: host.timers,
    baseUrl: svUrl,
    timeoutMilliseconds: SPONSOR_CALL_MILLISECONDS,
  });
  const isSelfService = secret === "";
  const most = isSelfService ? MAX_SECRET_REQUESTS : MAX_SECRET_SENDINGS;
  let shown = secret;
  try {
    const backoff = new Backoff(parts.backoff ?? SECRET_BACKOFF);
    for (let sending = 1; !signal.aborted; sending++) {
      try {
        if (shown === "") shown = await sponsor.devNetOnboardValidatorPrepare({}, { signal });
        const body = {
          party_id: operatorParty,
          secret: shown,
          version: SPOKEN_VERSION.version,
          ...(contactPoint === "" ? {} : { contact_point: contactPoint }),
        };
        await sponsor.onboardValidator({ body }, { signal });
        return onWaiting("the sponsor SV has made it a validator: its license is on its way");
      } catch (error) {
        if (signal.aborted) return;
        const told = explain(svUrl, error, isSelfService);
        const reason = `${told}${await whoAnswers(svUrl, error, parts)}`;
        // Only a DevNet hands out secrets, and no network becomes one.
        const isFinal = error instanceof HttpError && error.status === 501;
        if (isFinal || sending === most) {
          log.error({ reason, sendings: sending }, "the onboarding secret is not sent again");
          return onWaiting(
            isFinal
              ? reason
              : `${reason}. It was tried ${sending} times: start the validator anew to try again`,
          );
        }
        log.warn({ reason, sending }, "the validator has no license yet; trying again");
        onWaiting(reason);
        // A secret of self-service that was refused is of no use any more.
        if (isSelfService && error instanceof HttpError && error.status === 401) shown = "";
      }
      if (await hasLicense(parts).catch(() => false)) return;
      await sleep(backoff.next(), { timers: host.timers, signal });
    }
  } finally {
    connections.close();
  }
}

/** A reason from which the operator sees what to do. */
function explain(svUrl: string, error: unknown, isSelfService: boolean): string {
  if (!(error instanceof HttpError))
    return `the sponsor SV at ${svUrl} does not answer: ${describeError(error)}`;
  const said = `the sponsor SV at ${svUrl} answers ${error.status}: ${findSpliceMessage(error) ?? "nothing more"}`;
  if (error.status === 501)
    return `no onboarding secret is configured, and ${said}. Configure the secret that the operator of an SV gives you`;
  return error.status === 401 && !isSelfService
    ? `${said} (this is about the configured onboarding secret)`
    : said;
}

/** The role that answers instead of an SV app, where an address was mixed up. */
async function whoAnswers(svUrl: string, error: unknown, { host, signal }: LicenseParts): Promise<string> {
  if (!(error instanceof HttpError) || error.status !== 404) return "";
  const other = await findOtherRole({ url: svUrl, role: "sv" }, host, { signal });
  return other === null ? "" : `. At this address ${other} answers: give the sponsor SV's own`;
}

async function waitForLicense(parts: LicenseParts): Promise<void> {
  const { signal, host, backoff: pauses = SECRET_BACKOFF } = parts;
  const backoff = new Backoff({ ...pauses, firstMilliseconds: pauses.firstMilliseconds / 4 });
  while (!signal.aborted && !(await hasLicense(parts)))
    await sleep(backoff.next(), { timers: host.timers, signal });
}
