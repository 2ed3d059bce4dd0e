/**
 * A switch that makes a scan of the local network misbehave, to show that its readers cope. A scan that lags answers from
 * a copy of its index that was made when the lag began.
 */
import { type ScanBehaviour, unexpectedError } from "@callsign/api";
import { HangUp, Refusal, startDeadline, type Timers, untilAborted } from "@callsign/node";
import type { ScanIndex, ScanInterceptor, SoonAnswer } from "@callsign/scan";
import { type Asked, lie } from "./lies.ts";
import { HANG_MILLISECONDS } from "./limits.ts";

export class Misbehaviour implements ScanInterceptor {
  readonly #live: ScanIndex;
  readonly #timers: Timers;
  #behaviour: ScanBehaviour = "honest";
  #frozen: ScanIndex | null = null;
  #change = new AbortController();
  readonly #listeners: (() => void)[] = [];

  constructor(index: ScanIndex, timers: Timers) {
    this.#live = index;
    this.#timers = timers;
  }

  /** Takes effect with the next call. Calls that hang now are hung up. */
  behave(behaviour: ScanBehaviour): void {
    if (behaviour === this.#behaviour) return;
    this.#behaviour = behaviour;
    this.#frozen = behaviour === "lag" ? this.#live.copy() : null;
    this.#change.abort();
    this.#change = new AbortController();
    for (const listener of this.#listeners) listener();
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get behaviour(): ScanBehaviour {
    return this.#behaviour;
  }

  get index(): ScanIndex {
    return this.#frozen ?? this.#live;
  }

  isIdle(): boolean {
    return this.#behaviour === "honest";
  }

  before(): void | Promise<void> {
    switch (this.#behaviour) {
      case "honest":
      case "lie":
      case "lag":
        return;
      case "error":
        throw new Refusal(unexpectedError());
      case "stop":
        throw new HangUp();
      case "hang":
        return this.#hang();
    }
  }

  answer(asked: Asked, honest: () => SoonAnswer): SoonAnswer {
    return this.#behaviour === "lie" ? lie(asked, honest) : honest();
  }

  async #hang(): Promise<never> {
    const deadline = startDeadline(HANG_MILLISECONDS, {
      timers: this.#timers,
      signals: [this.#change.signal],
    });
    await untilAborted(new Promise(() => undefined), deadline.signal).catch(() => deadline.clear());
    throw new HangUp();
  }
}
