/**
 * A validator's automations together. Each looks when the ledger moved on in a way that concerns it. A participant
 * whose parties do nothing hears nothing, so while something waits for time, or for rounds, scans are asked every few
 * seconds how far the network is.
 */
import type { WireAutomationStatus } from "@callsign/api";
import type { Log } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { Advance } from "../store/contract-rows.ts";
import { pause } from "../waiting/pause.ts";
import { AUTOMATIONS, type Automation, type AutomationName } from "./automation.ts";
import { AutomationLoop, type LoopParts } from "./automation-loop.ts";

export interface AutomationsParts extends LoopParts {
  readonly facts: NetworkFacts;
  readonly clock: LedgerClock;
  readonly log: Log;
  readonly paused: readonly AutomationName[];
}

const LONGEST_PAUSE = 5000;
const SHORTEST_PAUSE = 200;

export class Automations {
  readonly #parts: AutomationsParts;
  readonly #loops: readonly AutomationLoop[];
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;

  constructor(automations: readonly Automation[], parts: AutomationsParts) {
    this.#parts = parts;
    this.#loops = automations
      .filter(({ name }) => !parts.paused.includes(name))
      .map((automation) => new AutomationLoop(automation, parts));
  }

  start(): void {
    for (const loop of this.#loops) loop.wake();
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#loops.map((loop) => loop.close()));
    await this.#watching;
  }

  /** The ledger moved on. */
  advanced(advance: Advance): void {
    for (const loop of this.#loops) loop.advanced(advance);
  }

  /** Does what is due, and answers how much was done. */
  async look(): Promise<number> {
    const done = await Promise.all(this.#loops.map((loop) => loop.look()));
    return done.reduce((total, each) => total + each, 0);
  }

  /** Every automation there is, in the order of their names' list. */
  status(): readonly WireAutomationStatus[] {
    return AUTOMATIONS.map((name) => {
      const loop = this.#loops.find(({ automation }) => automation.name === name);
      return loop?.status() ?? pausedStatus(name);
    });
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    const { facts, log } = this.#parts;
    let allAt = performance.now() + LONGEST_PAUSE;
    while (!signal.aborted) {
      await pause(this.#pause(), signal);
      if (signal.aborted) return;
      const isForAll = performance.now() >= allAt;
      if (this.#loops.some((loop) => loop.nextDueAt !== null || loop.nextTry !== undefined))
        await facts.observeTime().catch((error: unknown) => {
          log.debug({ error: describeError(error) }, "the network's time could not be read");
        });
      // Where much fails there is always something to be tried again: that is the business of those alone.
      for (const loop of this.#loops) if (isForAll || loop.isDue) loop.wake();
      if (isForAll) allAt = performance.now() + LONGEST_PAUSE;
    }
  }

  /** Until something is due or tried again, within bounds: the network's clock may be moved at any time. */
  #pause(): number {
    const { now } = this.#parts.clock;
    let milliseconds = LONGEST_PAUSE;
    for (const { nextDueAt, nextTry } of this.#loops) {
      // What is overdue waits for others, and is looked at as often as ever.
      if (nextDueAt !== null && nextDueAt > now)
        milliseconds = Math.min(milliseconds, Number((nextDueAt - now) / 1000n) + 1);
      if (nextTry !== undefined) milliseconds = Math.min(milliseconds, nextTry - performance.now());
    }
    return Math.max(SHORTEST_PAUSE, milliseconds);
  }
}

/** Not in use here, by configuration. */
function pausedStatus(automation: AutomationName): WireAutomationStatus {
  return {
    automation,
    paused: true,
    done: 0,
    lost: 0,
    failed: 0,
    in_flight: 0,
    waiting: 0,
    waits: [],
    next_due_at: null,
    last_done_at: null,
    stuck: [],
  };
}
