/**
 * The reader's end of a lookup channel (decision 0069). Questions of one turn leave in one packet. The channel is opened
 * when it is first wanted, and again some time after it broke or was refused; meanwhile, and for every question that it does not
 * answer, the caller sends a request. A server without channels is asked for one now and then.
 */
import type { Duplex } from "node:stream";
import {
  CHANNEL_MOVED,
  CHANNEL_TELLS,
  type ChannelAnswer,
  type ChannelQuestion,
  formatQuestion,
  LOOKUP_CHANNEL_PATH,
  LOOKUP_CHANNEL_PROTOCOL,
  parseChannelAnswer,
} from "@callsign/api";
import type { Host, HttpClient, Timer } from "../host/host.ts";
import { runOutsideTraces, traceHeaders } from "../observability/trace-context.ts";
import { Backoff } from "../waiting/backoff.ts";
import { startDeadline } from "../waiting/deadline.ts";
import { LineBuffer } from "../waiting/line-buffer.ts";

const OPENING_MILLISECONDS = 10_000;
const REOPENING = { firstMilliseconds: 1000, longestMilliseconds: 60_000 } as const;
/** More questions than these wait for no channel: they are sent as requests. */
const MAX_WAITING = 1000;
/** In characters: far longer than the longest list of entries. */
const MAX_ANSWER_LENGTH = 4 * 1024 * 1024;

export interface LookupChannelParts {
  /** With the API's prefix. */
  readonly baseUrl: string;
  readonly client: Pick<HttpClient, "upgrade">;
  readonly host: Pick<Host, "timers" | "clock" | "randomness">;
  /** The time for an answer. */
  readonly timeoutMilliseconds: number;
}

/** The server would answer as before, as long as this holds. */
export interface AnswerStanding {
  readonly holds: boolean;
}

/**
 * Null: the question has to be sent as a request. `late`: there was no answer in time. The standing is null if the server
 * does not say when its answers are others.
 */
export type OnChannelAnswer = (
  answer: ChannelAnswer | "late" | null,
  standing: AnswerStanding | null,
) => void;

interface Waiting {
  readonly answered: OnChannelAnswer;
  readonly until: number;
}

export class LookupChannel {
  readonly #parts: LookupChannelParts;
  readonly #backoff: Backoff;
  #socket: Duplex | null = null;
  #standing: { holds: boolean } | null = null;
  /** The time from which on it may be opened, by the host's clock. */
  #openFrom = Number.NEGATIVE_INFINITY;
  #isOpening = false;
  #isClosed = false;
  /** In the order of their questions. */
  #waiting: Waiting[] = [];
  #unsent = "";
  #timer: Timer | undefined;

  constructor(parts: LookupChannelParts) {
    this.#parts = parts;
    this.#backoff = new Backoff({ ...REOPENING, jitter: parts.host.randomness });
  }

  /** True while a question waits for its answer: another one would wait behind it. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** False if there is no channel at present. `answered` is called later, once. */
  ask(
    { target, headers }: ChannelQuestion,
    answered: OnChannelAnswer,
    timeoutMilliseconds = this.#parts.timeoutMilliseconds,
  ): boolean {
    if (this.#socket === null) this.#openIfDue();
    if (this.#socket === null || this.#waiting.length >= MAX_WAITING) return false;
    const { host } = this.#parts;
    this.#waiting.push({ answered, until: host.clock.elapsedMilliseconds() + timeoutMilliseconds });
    this.#timer ??= host.timers.set(() => this.#checkTime(), timeoutMilliseconds);
    if (this.#unsent === "") host.timers.soon(() => this.#send());
    const { traceparent } = traceHeaders();
    this.#unsent += formatQuestion({
      target,
      headers: traceparent === undefined ? headers : { ...headers, traceparent },
    });
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#break();
  }

  #send(): void {
    const text = this.#unsent;
    this.#unsent = "";
    this.#socket?.write(text);
  }

  #openIfDue(): void {
    if (this.#isOpening || this.#isClosed) return;
    if (this.#parts.host.clock.elapsedMilliseconds() < this.#openFrom) return;
    this.#isOpening = true;
    void runOutsideTraces(() => this.#open()).finally(() => {
      this.#isOpening = false;
    });
  }

  async #open(): Promise<void> {
    const { baseUrl, client, host } = this.#parts;
    const deadline = startDeadline(OPENING_MILLISECONDS, { timers: host.timers });
    try {
      const url = baseUrl + LOOKUP_CHANNEL_PATH;
      const socket = await client.upgrade(url, LOOKUP_CHANNEL_PROTOCOL, deadline.signal);
      if (this.#isClosed) return void socket.destroy();
      this.#listen(socket);
    } catch {
      this.#openLater();
    } finally {
      deadline.clear();
    }
  }

  #listen(socket: Duplex): void {
    const lines = new LineBuffer(MAX_ANSWER_LENGTH);
    const gone = () => {
      if (this.#socket === socket) this.#break();
    };
    socket.on("error", gone).on("close", gone).on("end", gone);
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      try {
        for (const line of lines.add(piece)) this.#receive(line);
      } catch {
        gone();
      }
    });
    this.#socket = socket;
  }

  #receive(line: string): void {
    if (line === CHANNEL_TELLS) return void this.#moveOn(true);
    if (line === CHANNEL_MOVED) return void this.#moveOn();
    const answer = parseChannelAnswer(line);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) throw new Error("a lookup channel carries an answer without a question");
    this.#backoff.reset();
    waiting.answered(answer, this.#standing);
  }

  /** Answers given so far stand no longer. */
  #moveOn(isTold = this.#standing !== null): void {
    if (this.#standing !== null) this.#standing.holds = false;
    this.#standing = isTold ? { holds: true } : null;
  }

  /** One timer for all questions: the first of them is the first to be late. */
  #checkTime(): void {
    this.#timer = undefined;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { clock, timers } = this.#parts.host;
    const left = first.until - clock.elapsedMilliseconds();
    if (left <= 0) this.#break();
    else this.#timer = timers.set(() => this.#checkTime(), left);
  }

  /** Questions that have waited for long enough are late, the others are sent as requests. */
  #break(): void {
    const { clock, timers } = this.#parts.host;
    const now = clock.elapsedMilliseconds();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#unsent = "";
    timers.clear(this.#timer);
    this.#timer = undefined;
    this.#socket?.destroy();
    this.#socket = null;
    this.#moveOn(false);
    this.#openLater();
    for (const { answered, until } of waiting) answered(until <= now ? "late" : null, null);
  }

  #openLater(): void {
    this.#openFrom = this.#parts.host.clock.elapsedMilliseconds() + this.#backoff.next();
  }
}
