/**
 * Throws away secrets that have had their time. It looks when the replica has applied something, and time passes on a
 * quiet log because the next expiry is one of the SV's deadlines. Doing it twice is harmless: the ledger takes one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { exerciseCommand, type Time, ValidatorOnboarding } from "@callsign/ledger";
import type { AutomationStatus } from "@callsign/node";
import { untilAborted } from "../automation/until-aborted.ts";
import type { OnboardingRow } from "./onboarding-rows.ts";
import type { SvApp } from "./sv-app.ts";

export const EXPIRE_ONBOARDINGS = "expire-onboardings";

export interface OnboardingExpiryStatus extends Omit<AutomationStatus, "automation"> {
  readonly automation: typeof EXPIRE_ONBOARDINGS;
}

const MAX_AT_ONCE = 50;
const AGAIN_MILLISECONDS = 1000;
/** So often in a row is not bad luck. */
const STUCK_AFTER = 5;

export class OnboardingExpiry {
  readonly #app: SvApp;
  readonly #paused: boolean;
  readonly #closing = new AbortController();
  readonly #counts = { done: 0, failed: 0 };
  #stopListening: (() => void) | null = null;
  #working: Promise<void> | null = null;
  #lastDoneAt: Time | null = null;
  #failures = 0;
  #reason: string | null = null;

  constructor(app: SvApp, paused: boolean) {
    this.#app = app;
    this.#paused = paused;
  }

  start(): void {
    if (this.#paused) return;
    this.#stopListening = this.#app.replica.onApplied(() => this.#look());
    this.#look();
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    this.#stopListening?.();
    await this.#working;
  }

  /** Resolves when nothing is due, or does not succeed. */
  async idle(): Promise<void> {
    while (this.#working !== null && this.#failures === 0) await this.#working;
  }

  /** When time alone gives it work; null if it will not. */
  nextDue(): Time | null {
    const { index, replica } = this.#app;
    return this.#paused ? null : index.onboardings.nextExpiry(replica.state.head.recordTime);
  }

  status(): OnboardingExpiryStatus {
    const { index, replica } = this.#app;
    const reason = this.#reason;
    const task = "secrets that have expired";
    const isWaiting = reason !== null;
    return {
      automation: EXPIRE_ONBOARDINGS,
      paused: this.#paused,
      ...this.#counts,
      lost: 0,
      inFlight: this.#working !== null && !isWaiting ? 1 : 0,
      waiting: isWaiting ? 1 : 0,
      waits: isWaiting ? [{ task, for: "another try", reason }] : [],
      nextDueAt: index.onboardings.nextExpiry(replica.state.head.recordTime),
      lastDoneAt: this.#lastDoneAt,
      stuck: isWaiting && this.#failures >= STUCK_AFTER ? [{ task, failures: this.#failures, reason }] : [],
    };
  }

  #look(): void {
    if (this.#working !== null || this.#closing.signal.aborted) return;
    const { index, replica } = this.#app;
    const due = index.onboardings.listExpired(replica.state.head.recordTime, MAX_AT_ONCE);
    if (due.length === 0) return;
    this.#working = this.#expire(due).finally(() => {
      this.#working = null;
      this.#look();
    });
  }

  async #expire(due: readonly OnboardingRow[]): Promise<void> {
    const commands = due.map(({ contractId }) =>
      exerciseCommand(ValidatorOnboarding, contractId, "ValidatorOnboarding_Expire", {}),
    );
    const { signal } = this.#closing;
    try {
      const objection = await untilAborted(this.#app.entries.act(commands), signal);
      if (objection === null) {
        this.#succeeded();
        return;
      }
      this.#fail(`${objection.code}: ${objection.cause}`);
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(error instanceof Error ? error.message : "it was not heard of");
    }
    await sleep(AGAIN_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }

  #succeeded(): void {
    this.#counts.done++;
    this.#failures = 0;
    this.#reason = null;
    this.#lastDoneAt = this.#app.replica.state.head.recordTime;
  }

  #fail(reason: string): void {
    this.#counts.failed++;
    this.#failures++;
    this.#reason = reason;
    this.#app.log.warn({ reason }, "expired onboarding secrets were not removed; trying again");
  }
}
