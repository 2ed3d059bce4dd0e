/** A call as its handler sees it. Its trace, address and signal are made when they are first asked for. */
import type { Call, Incoming } from "./call.ts";
import type { CallEnd } from "./calls.ts";

export class AuthorizedCall implements Call<unknown> {
  readonly caller: unknown;
  readonly method: string;
  readonly url: string;
  readonly header: Incoming["header"];
  readonly #incoming: Incoming;
  readonly #addressOf: () => string;
  readonly #end: CallEnd;

  constructor(caller: unknown, incoming: Incoming, addressOf: () => string, end: CallEnd) {
    this.caller = caller;
    this.method = incoming.method;
    this.url = incoming.url;
    this.header = incoming.header;
    this.#incoming = incoming;
    this.#addressOf = addressOf;
    this.#end = end;
  }

  get traceId(): string {
    return this.#incoming.traceId;
  }

  get address(): string {
    return this.#addressOf();
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }
}
