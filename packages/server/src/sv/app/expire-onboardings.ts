/**
 * Throws away secrets that have had their time. It looks when the replica has applied something, and time passes on a
 * quiet log because the next expiry is one of the SV's deadlines. Doing it twice is harmless: the ledger takes one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { exerciseCommand, ValidatorOnboarding } from "@callsign/ledger";
import { untilAborted } from "../automation/until-aborted.ts";
import type { SvApp } from "./sv-app.ts";

const MAX_AT_ONCE = 50;
const AGAIN_MILLISECONDS = 1000;

export class OnboardingExpiry {
  readonly #app: SvApp;
  readonly #closing = new AbortController();
  #stopListening: (() => void) | null = null;
  #working: Promise<void> | null = null;

  constructor(app: SvApp) {
    this.#app = app;
  }

  start(): void {
    this.#stopListening = this.#app.replica.onApplied(() => this.#look());
    this.#look();
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    this.#stopListening?.();
    await this.#working;
  }

  #look(): void {
    if (this.#working !== null || this.#closing.signal.aborted || !this.#isDue()) return;
    this.#working = this.#expire().finally(() => {
      this.#working = null;
      this.#look();
    });
  }

  #isDue(): boolean {
    const { index, replica } = this.#app;
    const next = index.onboardings.nextExpiry();
    return next !== null && next <= replica.state.head.recordTime;
  }

  async #expire(): Promise<void> {
    const { index, replica, entries, log } = this.#app;
    const due = index.onboardings
      .listOpen(MAX_AT_ONCE)
      .filter(({ expiresAt }) => expiresAt <= replica.state.head.recordTime);
    const commands = due.map(({ contractId }) =>
      exerciseCommand(ValidatorOnboarding, contractId, "ValidatorOnboarding_Expire", {}),
    );
    const { signal } = this.#closing;
    try {
      const objection = await untilAborted(entries.act(commands), signal);
      if (objection === null) return;
      log.warn(
        { code: objection.code, cause: objection.cause },
        "expired onboarding secrets were not removed",
      );
    } catch (error) {
      if (signal.aborted) return;
      log.warn(
        { error: error instanceof Error ? error.message : error },
        "expired onboarding secrets were not removed; trying again",
      );
    }
    await sleep(AGAIN_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
}
