/**
 * Reads on which enough scans agree. A few are asked at first; others at once where one fails or differs, and after
 * a short delay where one is slow. A scan that failed, differed or was slow a moment ago is asked last, so a bad one
 * delays few reads. Every call has its time, and so has the read as a whole.
 */

import {
  type Client,
  createClient,
  type Fetch,
  findSpliceMessage,
  HttpError,
  scanApi,
  spliceError,
} from "@callsign/api";
import type { Time } from "@callsign/ledger";
import { type HttpClient, type Log, openHttpClient, Refusal } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { pause } from "../waiting/pause.ts";
import {
  type Answered,
  decideAgreement,
  findSharedFailure,
  groupVotes,
  type Quorum,
  quorumOf,
  type Vote,
} from "./agreement.ts";
import { canonicalJson } from "./canonical-json.ts";
import { decideRecordTime, timedFetch } from "./record-times.ts";

export type ScanClient = Client<typeof scanApi.endpoints>;

export interface ScanRead<T> {
  /** For the log. */
  readonly what: string;
  /** Gives what is compared and, once agreed, answered. */
  readonly call: (scan: ScanClient) => Promise<T>;
}

/** In milliseconds. */
export interface ScanPatience {
  /** When a further scan is asked, since one of the asked is slow. */
  readonly hedge: number;
  /** How long one call may take. */
  readonly call: number;
  /** How long the others are waited for where all are asked. */
  readonly others: number;
  /** How long a read may take altogether, repetitions included. */
  readonly read: number;
  /** How long a scan that misbehaved is asked last. */
  readonly grudge: number;
}

export const SCAN_PATIENCE: ScanPatience = {
  hedge: 60,
  call: 4000,
  others: 1000,
  read: 6000,
  grudge: 10_000,
};

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 500;

interface Scan {
  readonly url: string;
  readonly client: ScanClient;
  /** When it last misbehaved, on the process's own clock. */
  badAt: number;
  /** The latest record time that it said to stand at. */
  heard: Time | null;
}

interface Poll<T> {
  readonly votes: readonly Vote<T>[];
  readonly agreed: Answered<T> | undefined;
}

export interface ScanGroupOptions {
  readonly urls: readonly string[];
  readonly log: Log;
  readonly patience?: ScanPatience;
  /** The record time that scans are asked to have reached, if any. */
  readonly waitFor?: () => Time | null;
}

export class ScanGroup {
  readonly #scans: readonly Scan[];
  readonly #quorum: Quorum;
  readonly #patience: ScanPatience;
  readonly #log: Log;
  readonly #connections: HttpClient = openHttpClient();
  readonly #closing = new AbortController();

  constructor({ urls, log, patience = SCAN_PATIENCE, waitFor = () => null }: ScanGroupOptions) {
    const distinct = [...new Set(urls.map((url) => url.replace(/\/+$/, "")))];
    if (distinct.length === 0) throw new Error("no scan is configured: give the base url of at least one");
    this.#scans = distinct.map((url) => openScan(url, { fetch: this.#connections.fetch, patience, waitFor }));
    this.#quorum = quorumOf(distinct.length);
    this.#patience = patience;
    this.#log = log;
  }

  close(): void {
    this.#closing.abort();
    this.#connections.close();
  }

  /** A time that the network has reached, by what scans have said so far. */
  recordTime(): Time | undefined {
    const heard = this.#scans.flatMap((scan) => (scan.heard === null ? [] : [scan.heard]));
    return decideRecordTime(this.#quorum, heard);
  }

  /** The agreed value. Throws a `Refusal`: the agreed one, or 502 where there is no agreement. */
  async read<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<T> {
    const until = performance.now() + this.#patience.read;
    let wait = FIRST_PAUSE;
    for (;;) {
      const { votes, agreed } = await this.#poll(read);
      if (agreed?.kind === "value") return agreed.value;
      if (agreed?.kind === "refusal") throw new Refusal(spliceError(agreed.status, agreed.message));
      const isOver = this.#closing.signal.aborted || signal?.aborted === true;
      if (isOver || performance.now() + wait > until) throw this.#noAgreement(read.what, votes);
      await pause(wait * (0.5 + Math.random() / 2), this.#closing.signal);
      wait = Math.min(2 * wait, LONGEST_PAUSE);
    }
  }

  /** One round over the scans. */
  #poll<T>(read: ScanRead<T>): Promise<Poll<T>> {
    const rest = [...this.#inOrder()];
    const votes: { readonly scan: Scan; readonly vote: Vote<T> }[] = [];
    const pending = new Map<Scan, number>();
    const begun = performance.now();
    let finished = false;
    return new Promise((resolve) => {
      const finish = (agreed: Answered<T> | undefined) => {
        clearInterval(hedging);
        finished = true;
        this.#remember({ votes, agreed, pending });
        resolve({ votes: votes.map(({ vote }) => vote), agreed });
      };
      const ask = (number: number) => {
        for (const scan of rest.splice(0, number)) {
          pending.set(scan, performance.now());
          void this.#call(read, scan).then((vote) => {
            // What is not waited for any more ends by itself, within the time of a call.
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
      const hedging = setInterval(() => {
        ask(1);
        proceed();
      }, this.#patience.hedge);
      ask(this.#quorum.first);
    });
  }

  /** Those who misbehaved a moment ago are not waited for as long as the others. */
  #isPatienceOver(begun: number, pending: Iterable<Scan>): boolean {
    const { hedge, others } = this.#patience;
    const waited = performance.now() - begun;
    if (waited >= others) return true;
    return waited >= hedge && [...pending].every((scan) => this.#bearsGrudge(scan));
  }

  #bearsGrudge({ badAt }: Scan): boolean {
    return badAt > performance.now() - this.#patience.grudge;
  }

  async #call<T>({ call }: ScanRead<T>, { client }: Scan): Promise<Vote<T>> {
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

  /** Those that behaved first, in random order; then the others, the one that misbehaved last at the end. */
  #inOrder(): readonly Scan[] {
    return this.#scans
      .map((scan) => ({
        scan,
        rank: this.#bearsGrudge(scan) ? scan.badAt : Number.NEGATIVE_INFINITY,
        tie: Math.random(),
      }))
      .sort((a, b) => (a.rank === b.rank ? a.tie - b.tie : a.rank - b.rank))
      .map(({ scan }) => scan);
  }

  #remember<T>({ votes, agreed, pending }: Outcome<T>): void {
    const now = performance.now();
    for (const { scan, vote } of votes) {
      const differs = vote.kind !== "failure" && agreed !== undefined && vote.key !== agreed.key;
      if (vote.kind === "failure" || differs) scan.badAt = now;
    }
    for (const [scan, asked] of pending) if (now - asked >= this.#patience.hedge) scan.badAt = now;
  }

  #noAgreement<T>(what: string, votes: readonly Vote<T>[]): Refusal {
    const { needed, scans } = this.#quorum;
    const answered = votes.filter(({ kind }) => kind !== "failure").length;
    const shown = votes.map((vote) => (vote.kind === "failure" ? vote.reason : vote.key).slice(0, 200));
    this.#log.warn({ what, groups: groupVotes(votes).length, answers: shown }, "scans do not agree");
    const shared = findSharedFailure(this.#quorum, votes);
    if (shared !== undefined) return new Refusal(spliceError(shared.status, shared.message));
    if (answered < needed) {
      const few = `Only ${answered} scan instances can be used (out of ${scans} configured ones)`;
      const rule = `which are fewer than the necessary ${needed} to achieve BFT guarantees.`;
      return new Refusal(spliceError(502, `${few}, ${rule}`));
    }
    const reached = `Failed to reach consensus from ${scans} Scan nodes`;
    return new Refusal(
      spliceError(
        502,
        `${reached}, requiring ${this.#quorum.unanimous ? scans : needed} matching responses.`,
      ),
    );
  }
}

interface Opening {
  readonly fetch: Fetch;
  readonly patience: ScanPatience;
  readonly waitFor: () => Time | null;
}

function openScan(url: string, { fetch, patience, waitFor }: Opening): Scan {
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
      timeoutMilliseconds: patience.call,
    }),
  };
  return scan;
}

interface Outcome<T> {
  readonly votes: readonly { readonly scan: Scan; readonly vote: Vote<T> }[];
  readonly agreed: Answered<T> | undefined;
  readonly pending: ReadonlyMap<Scan, number>;
}

/** A scan without routes, or without rules, is still starting: that is not the news that a name is free. */
export function isStarting(status: number, message: string): boolean {
  return status === 404 && /^(The requested resource could not be found|No DsoRules)/.test(message);
}
