/** One scan: its client, its last answer, and its misbehaviour. */
import {
  type Client,
  createClient,
  type Fetch,
  findSpliceMessage,
  HttpError,
  registryApi,
  scanApi,
  trimBaseUrl,
} from "@callsign/api";
import type { Time } from "@callsign/ledger";
import { type Host, type Metrics, measureClient } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import type { SCAN_PATIENCE } from "../limits/limits.ts";
import type { ScanVote } from "./agreement.ts";
import { canonicalJson } from "./canonical-json.ts";
import { timedFetch } from "./record-times.ts";

/** The registry is served by scans, beside their own operations. */
export type ScanClient = Client<typeof scanApi.endpoints> & Client<typeof registryApi.endpoints>;

export interface ScanRead<T> {
  /** Reads of equal keys ask for the same: those in flight are joined. Without one, each asks by itself. */
  readonly key?: string;
  /** The thing that is read, in plain words for the log. */
  readonly what: string;
  /** The values of several scans are compared; the agreed one is the answer. */
  readonly call: (scan: ScanClient) => Promise<T>;
  /** The part of a value that scans have to agree on; all of it if omitted. */
  readonly compared?: (value: T) => unknown;
}

/** In milliseconds. */
export type ScanPatience = Readonly<Record<keyof typeof SCAN_PATIENCE, number>>;

export interface Opening {
  readonly host: Host;
  readonly fetch: Fetch;
  readonly patience: ScanPatience;
  readonly waitFor: () => Time | null;
  readonly metrics: Metrics | undefined;
}

export class ScanConnection {
  /** With `/api/scan`. */
  readonly url: string;
  /** The time of its last misbehaviour, by the host's clock. */
  badAt = Number.NEGATIVE_INFINITY;
  /** The time of its last answer or failure, by the host's clock. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** The latest record time in its answers. */
  recordTime: Time | null = null;
  /** The reason why it gave no answer the last time; null if it did. */
  trouble: string | null = null;
  readonly #client: ScanClient;
  readonly #host: Host;

  constructor(url: string, { host, fetch, patience, waitFor, metrics }: Opening) {
    this.url = url;
    this.#host = host;
    const heard = (time: Time) => {
      this.recordTime = time;
    };
    const options = {
      fetch: timedFetch({ fetch, waitFor, heard }),
      timers: host.timers,
      timeoutMilliseconds: patience.call,
    };
    const client = {
      ...createClient(scanApi, { ...options, baseUrl: url }),
      ...createClient(registryApi, { ...options, baseUrl: url.slice(0, -scanApi.basePath.length) }),
    };
    this.#client = measureClient(client, { name: "scan", metrics, clock: host.clock });
  }

  async ask<T>(read: ScanRead<T>): Promise<ScanVote<T>> {
    const vote = await this.#vote(read);
    this.heardAt = this.#host.clock.elapsedMilliseconds();
    this.trouble = vote.kind === "failure" ? vote.reason : null;
    return vote;
  }

  async #vote<T>({ call, compared }: ScanRead<T>): Promise<ScanVote<T>> {
    try {
      const value = await call(this.#client);
      return { kind: "value", key: canonicalJson(compared === undefined ? value : compared(value)), value };
    } catch (error) {
      if (!(error instanceof HttpError)) return { kind: "failure", reason: describeError(error) };
      const { status } = error;
      const message = findSpliceMessage(error) ?? canonicalJson(error.body).slice(0, 1000);
      // An overloaded, starting or broken scan says nothing about the network.
      if (status === 429 || status >= 500 || isStarting(status, message)) {
        return { kind: "failure", reason: error.message, status, message };
      }
      return { kind: "refusal", key: canonicalJson([status, message]), status, message };
    }
  }
}

/** A scan without routes, or without rules, is still starting: it does not say that a name is free. */
export function isStarting(status: number, message: string): boolean {
  return status === 404 && /^(The requested resource could not be found|No DsoRules)/.test(message);
}

/** A scan's base URL with its path, which the given one may leave out. */
export function scanBaseUrl(given: string): string {
  const url = trimBaseUrl(given);
  return url.endsWith(scanApi.basePath) ? url : url + scanApi.basePath;
}
