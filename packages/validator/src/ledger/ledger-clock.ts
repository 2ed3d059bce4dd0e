/**
 * The network's time: the latest record time of an update or a contract. The machine's clock does not count, since a
 * network may set its own.
 */
import { MIN_TIME, parseTime, type Time } from "@callsign/ledger";

export class LedgerClock {
  #now: Time = MIN_TIME;

  get now(): Time {
    return this.#now;
  }

  /** True if that moved the clock on: it never runs back. */
  observe(time: Time): boolean {
    if (time <= this.#now) return false;
    this.#now = time;
    return true;
  }

  observeText(text: string): boolean {
    const time = parseTime(text);
    return time.ok && this.observe(time.value);
  }
}
