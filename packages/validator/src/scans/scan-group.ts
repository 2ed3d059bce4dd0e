/**
 * Reads on which enough scans agree. A few are asked at first; others at once if one fails or differs, and after a
 * short delay if one is slow. A scan that failed, differed or was slow a moment ago is asked last, so that it delays
 * few reads. Every call has a timeout, and so has the read as a whole.
 */

import { type Client, createClient, type Fetch, findSpliceMessage, HttpError, scanApi } from "@callsign/api";
import type { Time } from "@callsign/ledger";
import { Backoff, type Host, type HttpClient, type Log, sleep, startInterval } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { ValidatorError } from "../errors/validator-error.ts";
import { SCAN_BACKOFF, SCAN_PATIENCE } from "../limits/limits.ts";
import {
  type Answered,
  decideAgreement,
  findSharedFailure,
  groupVotes,
  type Quorum,
  quorumOf,
  type ScanVote,
} from "./agreement.ts";
import { canonicalJson } from "./canonical-json.ts";
import { decideRecordTime, timedFetch } from "./record-times.ts";

export type ScanClient = Client<typeof scanApi.endpoints>;

export interface ScanRead<T> {
  /** The thing that is read, in plain words for the log. */
  readonly what: string;
  /** The values of several scans are compared; the agreed one is the answer. */
  readonly call: (scan: ScanClient) => Promise<T>;
}

/** In milliseconds. */
export type ScanPatience = Readonly<Record<keyof typeof SCAN_PATIENCE, number>>;

interface Scan {
  readonly url: string;
  readonly client: ScanClient;
  /** The time of its last misbehaviour, by the host's clock. */
  badAt: number;
  /** The latest record time in its answers. */
  heard: Time | null;
}

interface Poll<T> {
  readonly votes: readonly ScanVote<T>[];
  readonly agreed: Answered<T> | undefined;
}

export interface ScanGroupOptions {
  readonly urls: readonly string[];
  readonly host: Host;
  readonly log: Log;
  readonly patience?: ScanPatience;
  /** The record time that scans are asked to have reached, if any. */
  readonly waitFor?: () => Time | null;
}

export class ScanGroup {
  readonly #scans: readonly Scan[];
  readonly #quorum: Quorum;
  readonly #patience: ScanPatience;
  readonly #host: Host;
  readonly #log: Log;
  readonly #connections: HttpClient;
  readonly #closing = new AbortController();

  constructor({ urls, host, log, patience = SCAN_PATIENCE, waitFor = () => null }: ScanGroupOptions) {
    this.#connections = host.http.openClient();
    const distinct = [...new Set(urls.map((url) => url.replace(/\/+$/, "")))];
    if (distinct.length === 0) throw new Error("no scan is configured: give the base url of at least one");
    const { fetch } = this.#connections;
    this.#scans = distinct.map((url) => openScan(url, { host, fetch, patience, waitFor }));
    this.#quorum = quorumOf(distinct.length);
    this.#patience = patience;
    this.#host = host;
    this.#log = log;
  }

  close(): void {
    this.#closing.abort();
    this.#connections.close();
  }

  /** A time that the network has reached, by the scans' answers so far. */
  recordTime(): Time | undefined {
    const heard = this.#scans.flatMap((scan) => (scan.heard === null ? [] : [scan.heard]));
    return decideRecordTime(this.#quorum, heard);
  }

  /** The agreed value. Throws a `ValidatorError`: the agreed rejection, or that there is no agreement. */
  async read<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<T> {
    const until = this.#now() + this.#patience.read;
    const backoff = new Backoff({ ...SCAN_BACKOFF, jitter: this.#host.randomness });
    for (;;) {
      const { votes, agreed } = await this.#poll(read);
      if (agreed?.kind === "value") return agreed.value;
      if (agreed?.kind === "refusal") throw scanRejection(agreed);
      const isOver = this.#closing.signal.aborted || signal?.aborted === true;
      const pause = backoff.next();
      if (isOver || this.#now() + pause > until) throw this.#noAgreement(read.what, votes);
      await sleep(pause, { timers: this.#host.timers, signal: this.#closing.signal });
    }
  }

  /** One round over the scans. */
  #poll<T>(read: ScanRead<T>): Promise<Poll<T>> {
    const rest = [...this.#inOrder()];
    const votes: { readonly scan: Scan; readonly vote: ScanVote<T> }[] = [];
    const pending = new Map<Scan, number>();
    const begun = this.#now();
    let finished = false;
    return new Promise((resolve) => {
      const finish = (agreed: Answered<T> | undefined) => {
        stopHedging();
        finished = true;
        this.#remember({ votes, agreed, pending });
        resolve({ votes: votes.map(({ vote }) => vote), agreed });
      };
      const ask = (number: number) => {
        for (const scan of rest.splice(0, number)) {
          pending.set(scan, this.#now());
          void this.#call(read, scan).then((vote) => {
            // A call that nobody waits for ends by itself, within its timeout.
            if (finished) return;
            pending.delete(scan);
            votes.push({ scan, vote });
            proceed();
          });
        }
      };
      const proceed = () => {
        const patienceOver = this.#isPatienceOver(begun, pending.keys());
        const count = { pending: pending.size, unasked: rest.length, patienceOver };
        const all = votes.map(({ vote }) => vote);
        const decision = decideAgreement(this.#quorum, all, count);
        if (decision.kind === "open") ask(decision.ask);
        else finish(decision.kind === "agreed" ? decision.vote : undefined);
      };
      const hedge = () => {
        ask(1);
        proceed();
      };
      const stopHedging = startInterval(hedge, this.#patience.hedge, this.#host.timers);
      ask(this.#quorum.first);
    });
  }

  /** A scan that misbehaved a moment ago is not waited for as long as the others. */
  #isPatienceOver(begun: number, pending: Iterable<Scan>): boolean {
    const { hedge, others } = this.#patience;
    const waited = this.#now() - begun;
    if (waited >= others) return true;
    return waited >= hedge && [...pending].every((scan) => this.#bearsGrudge(scan));
  }

  #bearsGrudge({ badAt }: Scan): boolean {
    return badAt > this.#now() - this.#patience.grudge;
  }

  async #call<T>({ call }: ScanRead<T>, { client }: Scan): Promise<ScanVote<T>> {
    try {
      const value = await call(client);
      return { kind: "value", key: canonicalJson(value), value };
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

  /** The well-behaved first, in random order; then the others, the latest to misbehave at the end. */
  #inOrder(): readonly Scan[] {
    return this.#scans
      .map((scan) => ({
        scan,
        rank: this.#bearsGrudge(scan) ? scan.badAt : Number.NEGATIVE_INFINITY,
        tie: this.#host.randomness.fraction(),
      }))
      .sort((a, b) => (a.rank === b.rank ? a.tie - b.tie : a.rank - b.rank))
      .map(({ scan }) => scan);
  }

  #remember<T>({ votes, agreed, pending }: Outcome<T>): void {
    const now = this.#now();
    for (const { scan, vote } of votes) {
      const differs = vote.kind !== "failure" && agreed !== undefined && vote.key !== agreed.key;
      if (vote.kind === "failure" || differs) scan.badAt = now;
    }
    for (const [scan, asked] of pending) if (now - asked >= this.#patience.hedge) scan.badAt = now;
  }

  #noAgreement<T>(what: string, votes: readonly ScanVote<T>[]): ValidatorError {
    const { needed, scans, unanimous } = this.#quorum;
    const answered = votes.filter(({ kind }) => kind !== "failure").length;
    const shown = votes.map((vote) => (vote.kind === "failure" ? vote.reason : vote.key).slice(0, 200));
    this.#log.warn({ groups: groupVotes(votes).length, answers: shown }, `scans do not agree on ${what}`);
    const shared = findSharedFailure(this.#quorum, votes);
    if (shared !== undefined) return scanRejection(shared);
    if (answered < needed) return new ValidatorError({ kind: "too-few-scans", answered, scans, needed });
    return new ValidatorError({ kind: "scans-disagree", scans, needed: unanimous ? scans : needed });
  }

  #now(): number {
    return this.#host.clock.elapsedMilliseconds();
  }
}

function scanRejection({ status, message }: { readonly status: number; readonly message: string }) {
  return new ValidatorError({ kind: "scan-rejection", status, message });
}

interface Opening {
  readonly host: Host;
  readonly fetch: Fetch;
  readonly patience: ScanPatience;
  readonly waitFor: () => Time | null;
}

function openScan(url: string, { host, fetch, patience, waitFor }: Opening): Scan {
  const heard = (time: Time) => {
    scan.heard = time;
  };
  const scan: Scan = {
    url,
    badAt: Number.NEGATIVE_INFINITY,
    heard: null,
    client: createClient(scanApi, {
      fetch: timedFetch({ fetch, waitFor, heard }),
      baseUrl: url,
      timers: host.timers,
      timeoutMilliseconds: patience.call,
    }),
  };
  return scan;
}

interface Outcome<T> {
  readonly votes: readonly { readonly scan: Scan; readonly vote: ScanVote<T> }[];
  readonly agreed: Answered<T> | undefined;
  readonly pending: ReadonlyMap<Scan, number>;
}

/** A scan without routes, or without rules, is still starting: it does not say that a name is free. */
export function isStarting(status: number, message: string): boolean {
  return status === 404 && /^(The requested resource could not be found|No DsoRules)/.test(message);
}
