/**
 * What time it is on the network: the latest record time that was seen in an update or in a contract. The machine's
 * clock does not count, since a network's own may stand elsewhere.
 */
import { MIN_TIME, parseTime, type Time } from "@callsign/ledger";

export class LedgerClock {
  #now: Time = MIN_TIME;

  get now(): Time {
    return this.#now;
  }

  /** Whether that moved it on: time never runs back. */
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
