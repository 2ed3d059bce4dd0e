/**
 * Secrets that the SV's configuration names: each is put on the ledger once. One that was used, or has expired, is
 * not made again, however often the SV starts: a secret lives 48 hours, and once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hashSecret, MAX_SECRET_LENGTH, type OnboardingSecret, parseSecret } from "./onboarding-secret.ts";
import { keepSecrets, SECRET_SECONDS, type SvApp } from "./sv-app.ts";

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 3000;

/** Throws where the configuration cannot be meant. */
export function checkExpectedSecrets(secrets: readonly string[], sv: string): void {
  // One may be written in several ways.
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

/** Resolves once all of them are there, or were; tries again until then. */
export async function expectOnboardings(
  app: SvApp,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const expected = secrets.map((text) => parseSecret(text, app.party));
  for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    const reason = await keepMissing(app, expected);
    if (reason === null) return;
    app.log.warn({ reason }, "expected onboarding secrets were not taken; trying again");
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** Null once none is missing; otherwise why. */
async function keepMissing(app: SvApp, expected: readonly OnboardingSecret[]): Promise<string | null> {
  try {
    await app.catchUp();
    const missing = expected.filter((secret) => isMissing(app, secret));
    if (missing.length === 0) return null;
    const objection = await keepSecrets(app, missing, SECRET_SECONDS);
    return objection === null ? null : `${objection.code}: ${objection.cause}`;
  } catch (error) {
    return error instanceof Error ? error.message : "it was not heard of";
  }
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
