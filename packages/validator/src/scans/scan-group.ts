/**
 * Reads on which enough scans agree. A few are asked at first; others at once if one fails or differs, and after a
 * short delay if one is slow. A scan that failed, differed or was slow a moment ago is asked last, so that it delays
 * few reads. Every call has a timeout, and so has the read as a whole.
 */

import type { Time } from "@callsign/ledger";
import {
  Backoff,
  Bell,
  type Host,
  type HttpClient,
  type Log,
  type Metrics,
  sleep,
  startInterval,
} from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import {
  SCAN_BACKOFF,
  SCAN_PATIENCE,
  SCAN_PROBE_MILLISECONDS,
  SCAN_RETRY_MILLISECONDS,
} from "../limits/limits.ts";
import {
  type Answered,
  decideAgreement,
  describeVotes,
  findSharedFailure,
  groupVotes,
  type Quorum,
  quorumOf,
  type SaidVote,
  type ScanVote,
} from "./agreement.ts";
import { decideRecordTime } from "./record-times.ts";
import { ScanConnection, type ScanPatience, type ScanRead, scanBaseUrl } from "./scan-connection.ts";
import { dsoPartyId } from "./scan-lookups.ts";
import { ScanMetrics } from "./scan-metrics.ts";

interface Poll<T> {
  readonly votes: readonly SaidVote<T>[];
  readonly agreed: Answered<T> | undefined;
}

/** The scans of one moment. A read goes on with those it began with. */
interface Members {
  readonly scans: readonly ScanConnection[];
  readonly quorum: Quorum;
}

export interface ScanGroupOptions {
  /** With or without `/api/scan`; none for a group that is filled later. */
  readonly urls: readonly string[];
  readonly host: Host;
  readonly log: Log;
  readonly patience?: ScanPatience;
  /** The record time that scans are asked to have reached, if any. */
  readonly waitFor?: () => Time | null;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics | undefined;
}

export class ScanGroup {
  /** Rings when a scan has failed or differed. */
  readonly troubled: Bell;
  /** Counts failures and differences. */
  troubles = 0;
  readonly #options: Required<ScanGroupOptions>;
  readonly #metrics: ScanMetrics;
  readonly #connections: HttpClient;
  readonly #closing = new AbortController();
  /** By key: as many as there are different calls in flight. */
  readonly #reading = new Map<string, Promise<unknown>>();
  #members: Members = { scans: [], quorum: quorumOf(0) };
  #watching: Promise<void> = Promise.resolve();

  constructor({ patience = SCAN_PATIENCE, waitFor = () => null, metrics, ...options }: ScanGroupOptions) {
    this.#options = { ...options, patience, waitFor, metrics };
    this.#metrics = new ScanMetrics(metrics);
    this.#connections = options.host.http.openClient();
    this.troubled = new Bell(options.host.timers);
    this.replace(options.urls);
  }

  get urls(): readonly string[] {
    return this.#members.scans.map(({ url }) => url);
  }

  /** Reads in flight end with the scans they began with; those that stay keep their reputation. */
  replace(urls: readonly string[], quorum?: Quorum): void {
    const { host, patience, waitFor, metrics } = this.#options;
    const { fetch } = this.#connections;
    const distinct = [...new Set(urls.map(scanBaseUrl))];
    const known = new Map(this.#members.scans.map((scan) => [scan.url, scan]));
    const scans = distinct.map(
      (url) => known.get(url) ?? new ScanConnection(url, { host, fetch, patience, waitFor, metrics }),
    );
    this.#members = { scans, quorum: quorum ?? quorumOf(distinct.length) };
  }

  /** Keeps asking scans that are silent or failed, so that `missing` stays true. */
  watch(): void {
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connections.close();
    await this.#watching;
  }

  /** The reason why too few scans answer; null if there are enough. */
  missing(): string | null {
    const { scans, quorum } = this.#members;
    if (scans.length === 0) return "no scan of the network is known yet";
    const failing = scans.filter(({ trouble }) => trouble !== null);
    const answering = scans.length - failing.length;
    if (answering >= quorum.needed) return null;
    const missing = failing.map(({ url, trouble }) => `${url} (${trouble})`).join(", ");
    return `${answering} of ${quorum.scans} scans answer, and ${quorum.needed} are needed; missing: ${missing}`;
  }

  /** A time that the network has reached, by the scans' answers so far. */
  recordTime(): Time | undefined {
    const { scans, quorum } = this.#members;
    const heard = scans.flatMap(({ recordTime }) => (recordTime === null ? [] : [recordTime]));
    return decideRecordTime(quorum, heard);
  }

  /** Every scan's own answer. */
  askAll<T>(read: ScanRead<T>): Promise<readonly { readonly url: string; readonly vote: ScanVote<T> }[]> {
    const { scans } = this.#members;
    return Promise.all(scans.map(async (scan) => ({ url: scan.url, vote: await scan.ask(read) })));
  }

  /** The agreed value. Throws a `ValidatorError`: the agreed rejection, or that there is no agreement. */
  read<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<T> {
    return read.key === undefined ? this.#read(read, signal) : this.#join(read.key, read);
  }

  /**
   * Joins a read of the same key that is in flight and waits for the same record time: a later one might have to see more.
   * It ends by itself, within the time of a read, whether or not its callers wait.
   */
  #join<T>(key: string, read: ScanRead<T>): Promise<T> {
    const whole = `${this.#options.waitFor() ?? ""} ${key}`;
    const known = this.#reading.get(whole) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const reading = this.#read(read).finally(() => this.#reading.delete(whole));
    this.#reading.set(whole, reading);
    return reading;
  }

  async #read<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<T> {
    const { host, patience } = this.#options;
    const until = this.#now() + patience.read;
    const backoff = new Backoff({ ...SCAN_BACKOFF, jitter: host.randomness });
    for (;;) {
      const members = this.#members;
      const { votes, agreed } = await this.#poll(read, members);
      this.#metrics.countRead(agreed === undefined ? "open" : agreed.kind === "value" ? "agreed" : "refused");
      if (agreed?.kind === "value") return agreed.value;
      if (agreed?.kind === "refusal") throw scanRejection(agreed);
      const isOver = this.#closing.signal.aborted || signal?.aborted === true;
      const pause = backoff.next();
      if (isOver || this.#now() + pause > until) throw this.#noAgreement(read.what, votes, members.quorum);
      await sleep(pause, { timers: host.timers, signal: this.#closing.signal });
    }
  }

  /** One round over the scans. */
  #poll<T>(read: ScanRead<T>, { scans, quorum }: Members): Promise<Poll<T>> {
    if (scans.length === 0) return Promise.resolve({ votes: [], agreed: undefined });
    const { host, patience } = this.#options;
    const rest = [...this.#inOrder(scans)];
    const votes: { readonly scan: ScanConnection; readonly vote: ScanVote<T> }[] = [];
    const pending = new Map<ScanConnection, number>();
    const begun = this.#now();
    let finished = false;
    return new Promise((resolve) => {
      const finish = (agreed: Answered<T> | undefined) => {
        stopHedging();
        finished = true;
        this.#remember({ votes, agreed, pending });
        resolve({ votes: votes.map(({ scan, vote }) => ({ url: scan.url, vote })), agreed });
      };
      const ask = (number: number) => {
        for (const scan of rest.splice(0, number)) {
          pending.set(scan, this.#now());
          void scan.ask(read).then((vote) => {
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
        const decision = decideAgreement(quorum, all, count);
        if (decision.kind === "open") ask(decision.ask);
        else finish(decision.kind === "agreed" ? decision.vote : undefined);
      };
      const hedge = () => {
        ask(1);
        proceed();
      };
      const stopHedging = startInterval(hedge, patience.hedge, host.timers);
      ask(quorum.first);
    });
  }

  /** A scan that misbehaved a moment ago is not waited for as long as the others. */
  #isPatienceOver(begun: number, pending: Iterable<ScanConnection>): boolean {
    const { hedge, others } = this.#options.patience;
    const waited = this.#now() - begun;
    if (waited >= others) return true;
    return waited >= hedge && [...pending].every((scan) => this.#bearsGrudge(scan));
  }

  #bearsGrudge({ badAt }: ScanConnection): boolean {
    return badAt > this.#now() - this.#options.patience.grudge;
  }

  /** The well-behaved first, in random order; then the others, the latest to misbehave at the end. */
  #inOrder(scans: readonly ScanConnection[]): readonly ScanConnection[] {
    return scans
      .map((scan) => ({
        scan,
        rank: this.#bearsGrudge(scan) ? scan.badAt : Number.NEGATIVE_INFINITY,
        tie: this.#options.host.randomness.fraction(),
      }))
      .sort((a, b) => (a.rank === b.rank ? a.tie - b.tie : a.rank - b.rank))
      .map(({ scan }) => scan);
  }

  #remember<T>({ votes, agreed, pending }: Outcome<T>): void {
    const now = this.#now();
    for (const { scan, vote } of votes) {
      const differs = vote.kind !== "failure" && agreed !== undefined && vote.key !== agreed.key;
      const agrees = agreed === undefined ? "answered" : "agreed";
      this.#metrics.countVote(scan.url, vote.kind === "failure" ? "failed" : differs ? "differed" : agrees);
      if (vote.kind !== "failure" && !differs) continue;
      scan.badAt = now;
      this.troubles++;
      this.troubled.ring();
    }
    const { hedge } = this.#options.patience;
    for (const [scan, asked] of pending) {
      if (now - asked < hedge) continue;
      scan.badAt = now;
      this.#metrics.countVote(scan.url, "slow");
    }
  }

  #noAgreement<T>(what: string, said: readonly SaidVote<T>[], quorum: Quorum): ValidatorError {
    const { needed, scans, unanimous } = quorum;
    const votes = said.map(({ vote }) => vote);
    const answered = votes.filter(({ kind }) => kind !== "failure").length;
    const shown = votes.map((vote) => (vote.kind === "failure" ? vote.reason : vote.key).slice(0, 200));
    this.#options.log.warn(
      { groups: groupVotes(votes).length, answers: shown },
      `scans do not agree on ${what}`,
    );
    const shared = findSharedFailure(quorum, votes);
    if (shared !== undefined) return scanRejection(shared);
    if (answered < needed) return new ValidatorError({ kind: "too-few-scans", answered, scans, needed });
    const problem = { kind: "scans-disagree", scans, needed: unanimous ? scans : needed } as const;
    return new ValidatorError({ ...problem, said: describeVotes(said) });
  }

  /** A scan that answers reads is not asked besides. */
  async #watch(): Promise<void> {
    const { timers } = this.#options.host;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isTroubled = () => this.#members.scans.some(({ trouble }) => trouble !== null);
      await this.troubled.until(isTroubled, { milliseconds: SCAN_PROBE_MILLISECONDS, signal });
      if (isTroubled()) await sleep(SCAN_RETRY_MILLISECONDS, { timers, signal });
      if (signal.aborted) return;
      const before = this.#now() - SCAN_PROBE_MILLISECONDS;
      const asked = this.#members.scans.filter((scan) => scan.trouble !== null || scan.heardAt <= before);
      const votes = await Promise.all(
        asked.map(async (scan) => ({ scan, vote: await scan.ask(dsoPartyId) })),
      );
      this.#remember({ votes, agreed: undefined, pending: new Map() });
    }
  }

  #now(): number {
    return this.#options.host.clock.elapsedMilliseconds();
  }
}

function scanRejection({ status, message }: { readonly status: number; readonly message: string }) {
  return new ValidatorError({ kind: "scan-rejection", status, message });
}

interface Outcome<T> {
  readonly votes: readonly { readonly scan: ScanConnection; readonly vote: ScanVote<T> }[];
  readonly agreed: Answered<T> | undefined;
  readonly pending: ReadonlyMap<ScanConnection, number>;
}
