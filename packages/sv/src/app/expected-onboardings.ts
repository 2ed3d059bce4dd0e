/**
 * Secrets that the SV's configuration names: each is put on the ledger once. A secret that was used, has expired
 * or was withdrawn is not made again, however often the SV starts.
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

export interface SecretPreparation {
  /** The reason why the app is not ready; null once the secrets are, or were, on the ledger. */
  readonly missing: () => string | null;
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<void>;
}

/** Puts the secrets on the ledger once the network is there and the replica current; retries until the replica ends. */
export function prepareSecrets(app: SvApp, secrets: readonly string[], goal: number): SecretPreparation {
  const { replica, ended: signal, host, log } = app;
  let isPrepared = secrets.length === 0;
  const expected = secrets.map((text) => parseSecret(text, app.party));
  const prepare = async () => {
    try {
      // The first entry is the founding.
      await replica.reach(Math.max(goal, 1), signal);
      await retry(() => putMissing(app, expected), {
        ...{ backoff: new Backoff(EXPECTED_SECRETS_RETRY), timers: host.timers, signal },
        onFailure: (error) =>
          log.warn({ reason: String(error) }, "putting expected onboarding secrets on the ledger failed"),
      });
      isPrepared = true;
    } catch (error) {
      if (!signal.aborted) log.error({ error: String(error) }, "preparing expected secrets failed");
    }
  };
  return {
    missing: () => (isPrepared ? null : "expected onboarding secrets are being prepared"),
    ended: prepare(),
  };
}

async function putMissing(app: SvApp, expected: readonly OnboardingSecret[]): Promise<void> {
  await app.catchUp();
  const missing = expected.filter((secret) => isMissing(app, secret));
  if (missing.length === 0) return;
  const error = await putSecrets(app, missing, SECRET_SECONDS);
  if (error !== null) throw new Error(`${error.code}: ${error.cause}`);
}

function isMissing({ onboardings, log }: SvApp, secret: OnboardingSecret): boolean {
  const secretHash = hashSecret(secret);
  const known = onboardings.findBySecret(secretHash);
  if (known?.state === "expired") {
    const fingerprint = secretHash.slice(0, 8);
    log.warn(
      { fingerprint },
      "an expected onboarding secret has expired or was withdrawn: expect another one instead",
    );
  }
  return known === undefined;
}
