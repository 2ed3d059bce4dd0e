/**
 * Secrets that the SV's configuration names: each is put on the ledger once. One that was used, or has expired, is
 * not made again, however often the SV starts: a secret lives 48 hours, and once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hashSecret, MAX_SECRET_LENGTH, parseSecret } from "./onboarding-secret.ts";
import { keepSecret, SECRET_SECONDS, type SvApp } from "./sv-app.ts";

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 3000;

/** Throws where the configuration cannot be meant. */
export function checkExpectedSecrets(secrets: readonly string[], sv: string): void {
  if (new Set(secrets).size !== secrets.length)
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
  for (const text of secrets) {
    for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      if (await expectOne(app, text)) break;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Whether it is settled. */
async function expectOne(app: SvApp, text: string): Promise<boolean> {
  const secret = parseSecret(text, app.party);
  const fingerprint = hashSecret(secret).slice(0, 8);
  try {
    await app.catchUp();
    const known = app.index.onboardings.findBySecret(hashSecret(secret));
    if (known !== undefined) {
      if (known.state === "expired")
        app.log.warn(
          { fingerprint },
          "an expected onboarding secret has expired: expect another one instead",
        );
      return true;
    }
    const objection = await keepSecret(app, secret, SECRET_SECONDS);
    if (objection === null) return true;
    app.log.warn(
      { fingerprint, code: objection.code },
      "an expected onboarding secret was not taken; trying again",
    );
  } catch (error) {
    app.log.warn(
      { fingerprint, error: String(error) },
      "an expected onboarding secret was not taken; trying again",
    );
  }
  return false;
}
