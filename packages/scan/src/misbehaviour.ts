/**
 * A switch that makes a scan misbehave, so that readers can be seen to cope. Only the local network hands one to a
 * scan; without it there is none of this. A scan that lags answers from a copy that was made when it began to.
 */
import { type ScanBehaviour, unexpectedError } from "@callsign/api";
import { HangUp, Refusal } from "@callsign/node";
import type { ScanIndex } from "./scan-index.ts";

/** Longer than any reader waits; then the connection goes. */
const HANG_MILLISECONDS = 70_000;

export class Misbehaviour {
  readonly #live: ScanIndex;
  #behaviour: ScanBehaviour = "honest";
  #frozen: ScanIndex | null = null;
  #change = new AbortController();

  constructor(index: ScanIndex) {
    this.#live = index;
  }

  get behaviour(): ScanBehaviour {
    return this.#behaviour;
  }

  /** From now on. Calls that hang are let go. */
  behave(behaviour: ScanBehaviour): void {
    if (behaviour === this.#behaviour) return;
    this.#behaviour = behaviour;
    this.#frozen = behaviour === "lag" ? this.#live.copy() : null;
    this.#change.abort();
    this.#change = new AbortController();
  }

  /** What the answers are taken from. */
  get index(): ScanIndex {
    return this.#frozen ?? this.#live;
  }

  /** Keeps a call from being answered, if that is how the scan behaves. */
  obstruct(): void | Promise<void> {
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
        return hang(this.#change.signal);
    }
  }
}

function hang(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      reject(new HangUp());
    };
    const timer = setTimeout(end, HANG_MILLISECONDS);
    timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
