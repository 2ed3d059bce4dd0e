/** One scan: its client, its last answer, and its misbehaviour. */
import {
  baseUrlOf,
  CHANNEL_LOOKUPS,
  type ClientOptions,
  RECORD_TIME_HEADER,
  registryApi,
  scanApi,
  sendRequest,
  TransportError,
  trimBaseUrl,
  type UnreadAnswer,
  WAIT_FOR_HEADER,
} from "@callsign/api";
import { formatTime, parseTime, type Time } from "@callsign/ledger";
import {
  type AnswerStanding,
  askByChannel,
  type ChannelAnswered,
  ClientMetrics,
  type Host,
  type HttpClient,
  LookupChannel,
  type Metrics,
  rememberLast,
} from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import type { SCAN_PATIENCE } from "../limits/limits.ts";
import type { Said, ScanVote } from "./agreement.ts";
import type { ScanAnswers } from "./scan-answers.ts";
import type { ScanRead, ScanRequest } from "./scan-read.ts";
import { showUrl } from "./show-url.ts";

/** In milliseconds. */
export type ScanPatience = Readonly<Record<keyof typeof SCAN_PATIENCE, number>>;

export interface Opening {
  readonly host: Host;
  readonly client: HttpClient;
  readonly patience: ScanPatience;
  readonly metrics: Metrics | undefined;
}

export interface Question<T> {
  readonly read: ScanRead<T>;
  readonly answers: ScanAnswers<T>;
  /** The record time that the scan is asked to have reached; null for none. */
  readonly waitFor: Time | null;
}

export interface HeardVote<T> extends ScanVote<Said<T>> {
  /** Null if the scan does not tell when it would answer otherwise. */
  readonly standing: AnswerStanding | null;
}

export class ScanConnection {
  /** With `/api/scan`. */
  readonly url: string;
  /** As headers and texts show it. */
  readonly shownUrl: string;
  /** The time of its last misbehaviour, by the host's clock. */
  badAt = Number.NEGATIVE_INFINITY;
  /** The time of its last answer or failure, by the host's clock. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** The record time of its last answer. */
  recordTime: Time | null = null;
  /** The reason why it gave no answer the last time; null if it did. */
  trouble: string | null = null;
  readonly #host: Host;
  readonly #metrics: ClientMetrics;
  readonly #channel: LookupChannel;
  readonly #scan: ClientOptions;
  readonly #registry: ClientOptions;
  // Many reads in a row wait for one record time, and many answers carry one.
  readonly #writeTime = rememberLast(formatTime);
  readonly #readTime = rememberLast(readTime);

  constructor(url: string, { host, client, patience, metrics }: Opening) {
    this.url = url;
    this.shownUrl = showUrl(url);
    this.#host = host;
    const options = { fetch: client.fetch, timers: host.timers, timeoutMilliseconds: patience.call };
    this.#scan = { ...options, baseUrl: url };
    // The registry has no prefix.
    this.#registry = { ...options, baseUrl: url.slice(0, -scanApi.basePath.length) };
    this.#channel = new LookupChannel({ baseUrl: url, client, host, timeoutMilliseconds: patience.call });
    this.#metrics = new ClientMetrics({ name: "scan", metrics, clock: host.clock });
  }

  async ask<T>(question: Question<T>): Promise<HeardVote<T>> {
    const vote = await this.#vote(question);
    this.heardAt = this.#host.clock.elapsedMilliseconds();
    this.trouble = vote.said.kind === "failure" ? vote.said.reason : null;
    return vote;
  }

  async #vote<T>({ read, answers, waitFor }: Question<T>): Promise<HeardVote<T>> {
    try {
      const headers = waitFor === null ? {} : { [WAIT_FOR_HEADER]: this.#writeTime(waitFor) };
      const sent = await this.#sendAll(read.requests, headers);
      const standing = sent.length === 1 ? (sent[0]?.standing ?? null) : null;
      return { said: answers.decode(sent), at: this.#readTimes(sent), standing };
    } catch (error) {
      const cause = error instanceof TransportError ? error.failure : "malformed";
      return { said: { kind: "failure", cause, reason: describeError(error) }, at: null, standing: null };
    }
  }

  #sendAll(
    requests: readonly ScanRequest[],
    headers: Readonly<Record<string, string>>,
  ): Promise<readonly ChannelAnswered[]> {
    const [first] = requests;
    if (first !== undefined && requests.length === 1) return this.#send(first, headers).then((one) => [one]);
    return Promise.all(requests.map((request) => this.#send(request, headers)));
  }

  #send(asked: ScanRequest, headers: Readonly<Record<string, string>>): Promise<ChannelAnswered> {
    const send = (): Promise<ChannelAnswered> =>
      CHANNEL_LOOKUPS.has(asked.endpoint)
        ? this.#sendByChannel(asked, headers)
        : this.#sendRequest(asked, headers);
    return this.#metrics.measure(asked.endpoint.id, send, ({ status }) => status);
  }

  #sendRequest(
    { endpoint, request }: ScanRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<UnreadAnswer> {
    const options = endpoint.id in registryApi.endpoints ? this.#registry : this.#scan;
    return sendRequest(endpoint, request, options, { headers });
  }

  /** As a request where the channel gives no answer. */
  #sendByChannel(asked: ScanRequest, headers: Readonly<Record<string, string>>): Promise<ChannelAnswered> {
    const question = { ...asked, headers, baseUrl: this.url };
    return askByChannel(this.#channel, question, () => this.#sendRequest(asked, headers));
  }

  /** Ends the channel: later questions are sent as requests. */
  close(): void {
    this.#channel.close();
  }

  /** The earliest, of several answers: each of them holds there or later. Null if one carries none. */
  #readTimes(answers: readonly UnreadAnswer[]): Time | null {
    let earliest: Time | null = null;
    for (const { header } of answers) {
      const time = this.#readTime(header(RECORD_TIME_HEADER));
      if (time === null) return null;
      if (earliest === null || time < earliest) earliest = time;
    }
    if (earliest !== null) this.recordTime = earliest;
    return earliest;
  }
}

function readTime(text: string | null): Time | null {
  if (text === null) return null;
  const time = parseTime(text);
  return time.ok ? time.value : null;
}

/** A scan's base URL with its path, which the given one may leave out. */
export function scanBaseUrl(given: string): string {
  return baseUrlOf(scanApi, trimBaseUrl(given));
}
