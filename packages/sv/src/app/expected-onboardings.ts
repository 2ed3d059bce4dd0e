/**
 * Secrets that the SV's configuration names: each is put on the ledger once. A secret that was used, or has expired, is
 * not made again, however often the SV starts.
 */
import { Backoff, retry } from "@callsign/node";
import { EXPECTED_SECRETS_RETRY, MAX_SECRET_LENGTH, SECRET_SECONDS } from "../limits/limits.ts";
import { hashSecret, type OnboardingSecret, parseSecret } from "./onboarding-secret.ts";
import { putSecrets, type SvApp } from "./sv-app.ts";

/** Throws for secrets that cannot be meant. */
export function checkExpectedSecrets(secrets: readonly string[], sv: string): void {
  // A secret may be written in several ways.
  const hashes = secrets.map((text) => hashSecret(parseSecret(text, sv)));
  if (new Set(hashes).size !== hashes.length)
    throw new Error("an onboarding secret is expected twice: give each validator its own");
  for (const [place, text] of secrets.entries()) {
    const which = `expected onboarding secret ${place + 1}`;
    if (text === "" || text.length > MAX_SECRET_LENGTH)
      throw new Error(`${which} has ${text.length} characters: 1 to ${MAX_SECRET_LENGTH} are allowed`);
    const { sponsoringSv } = parseSecret(text, sv);
    if (sponsoringSv !== sv) throw new Error(`${which} is for SV ${sponsoringSv}, and this is ${sv}`);
  }
}

/** Resolves once all of them are, or were, on the ledger; retries until then. Rejects once the signal aborts. */
export function expectOnboardings(
  app: SvApp,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const expected = secrets.map((text) => parseSecret(text, app.party));
  return retry(() => putMissing(app, expected), {
    backoff: new Backoff(EXPECTED_SECRETS_RETRY),
    timers: app.host.timers,
    signal,
    onFailure: (error) =>
      app.log.warn({ reason: String(error) }, "putting expected onboarding secrets on the ledger failed"),
  });
}

async function putMissing(app: SvApp, expected: readonly OnboardingSecret[]): Promise<void> {
  await app.catchUp();
  const missing = expected.filter((secret) => isMissing(app, secret));
  if (missing.length === 0) return;
  const error = await putSecrets(app, missing, SECRET_SECONDS);
  if (error !== null) throw new Error(`${error.code}: ${error.cause}`);
}

function isMissing({ index, log }: SvApp, secret: OnboardingSecret): boolean {
  const secretHash = hashSecret(secret);
  const known = index.onboardings.findBySecret(secretHash);
  if (known?.state === "expired") {
    const fingerprint = secretHash.slice(0, 8);
    log.warn({ fingerprint }, "an expected onboarding secret has expired: expect another one instead");
  }
  return known === undefined;
}
