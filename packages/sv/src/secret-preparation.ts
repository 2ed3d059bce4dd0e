/** Puts the onboarding secrets of the configuration on the ledger, once the network is there and the replica current. */
import { expectOnboardings } from "./app/expected-onboardings.ts";
import type { SvApp } from "./app/sv-app.ts";

export interface SecretPreparation {
  /** The reason why the app is not ready; null once the secrets are prepared. */
  readonly missing: () => string | null;
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<void>;
}

export function prepareSecrets(app: SvApp, secrets: readonly string[], goal: number): SecretPreparation {
  let isPrepared = secrets.length === 0;
  const prepare = async () => {
    try {
      // The first entry is the founding.
      await app.replica.reach(Math.max(goal, 1), app.ended);
      await expectOnboardings(app, secrets, app.ended);
      isPrepared = true;
    } catch (error) {
      if (!app.ended.aborted) app.log.error({ error: String(error) }, "preparing expected secrets failed");
    }
  };
  return {
    missing: () => (isPrepared ? null : "expected onboarding secrets are being prepared"),
    ended: prepare(),
  };
}
