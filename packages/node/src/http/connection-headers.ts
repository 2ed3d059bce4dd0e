/** The headers that `node:http` adds to an answer behind which the connection stays open. */
import type { Clock } from "../host/host.ts";
import { KEEP_ALIVE_MILLISECONDS } from "./limits.ts";

export class ConnectionHeaders {
  readonly #clock: Clock;
  #second = -1;
  #lines = "";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Made once a second: they have the date. */
  get lines(): string {
    const second = Math.floor(this.#clock.wallMilliseconds() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      const date = new Date(second * 1000).toUTCString();
      this.#lines = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MILLISECONDS / 1000}\r\n`;
    }
    return this.#lines;
  }
}
