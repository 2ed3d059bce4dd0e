/** The headers that `node:http` adds to an answer behind which the connection stays open. */
import type { Clock } from "../host/host.ts";
import { KEEP_ALIVE_MILLISECONDS } from "./limits.ts";

export class ConnectionHeaders {
  readonly #clock: Clock;
  #lines = "";
  #validUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** At that time of the clock that never goes back. They have the date, and are made once a second. */
  linesAt(elapsedMilliseconds: number): string {
    if (elapsedMilliseconds >= this.#validUntil) {
      const now = this.#clock.wallMilliseconds();
      this.#validUntil = elapsedMilliseconds + 1000 - (now % 1000);
      const date = new Date(now).toUTCString();
      this.#lines = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MILLISECONDS / 1000}\r\n`;
    }
    return this.#lines;
  }
}
