/**
 * Reads on which enough scans agree. Answers that differ at different record times are compared again at a common one,
 * because a scan may lag. A scan that failed, differed or was slow a moment ago is asked last, so that it delays few reads.
 * Every call has a timeout; the read as a whole is bounded in time and in rounds. Equal reads in flight are joined.
 */
import { formatTime, type Time } from "@callsign/ledger";
import { Backoff, Bell, type Host, type HttpClient, type Log, type Metrics, sleep } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import {
  SCAN_BACKOFF,
  SCAN_PATIENCE,
  SCAN_PROBE_MILLISECONDS,
  SCAN_RETRY_MILLISECONDS,
  SCAN_ROUNDS,
} from "../limits/limits.ts";
import { type AgreedAnswer, agreedAnswer } from "./agreed-answer.ts";
import {
  decideCommonTime,
  groupVotes,
  isDispute,
  type Quorum,
  quorumOf,
  type Said,
  type ScanVote,
} from "./agreement.ts";
import { type Interest, JoinedReads } from "./joined-reads.ts";
import { describeVotes, judgeVote } from "./judge-votes.ts";
import { type Poll, type PolledVote, pollScans } from "./poll-scans.ts";
import { decideRecordTime } from "./record-times.ts";
import { ScanAnswers } from "./scan-answers.ts";
import { type Question, ScanConnection, type ScanPatience, scanBaseUrl } from "./scan-connection.ts";
import { dsoPartyId } from "./scan-lookups.ts";
import { ScanMetrics } from "./scan-metrics.ts";
import { keyOfRead, type ScanRead } from "./scan-read.ts";
import { StandingAnswers } from "./standing-answers.ts";

/** The scans of one moment. A round goes on with those it began with. */
interface Members {
  readonly scans: readonly ScanConnection[];
  readonly quorum: Quorum;
}

/** Different answers in an earlier round. */
interface Dispute {
  /** The record time at which they are compared again; null if they carry none. */
  readonly time: Time | null;
  readonly scans: ReadonlySet<ScanConnection>;
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
  readonly #joined = new JoinedReads();
  readonly #standing: StandingAnswers;
  /** The time of the last read on which they did not agree, by the host's clock. */
  #disagreedAt = Number.NEGATIVE_INFINITY;
  #members: Members = { scans: [], quorum: quorumOf(0) };
  #watching: Promise<void> = Promise.resolve();

  constructor({ patience = SCAN_PATIENCE, waitFor = () => null, metrics, ...options }: ScanGroupOptions) {
    this.#options = { ...options, patience, waitFor, metrics };
    this.#metrics = new ScanMetrics(metrics);
    this.#connections = options.host.http.openClient();
    this.#standing = new StandingAnswers(options.host.clock);
    this.troubled = new Bell(options.host.timers);
    this.replace(options.urls);
  }

  get urls(): readonly string[] {
    return this.#members.scans.map(({ url }) => url);
  }

  /** Rounds in flight end with the scans they began with; those that stay keep their reputation. */
  replace(urls: readonly string[], quorum?: Quorum): void {
    const { host, patience, metrics } = this.#options;
    const client = this.#connections;
    const distinct = [...new Set(urls.map(scanBaseUrl))];
    const known = new Map(this.#members.scans.map((scan) => [scan.url, scan]));
    const scans = distinct.map(
      (url) => known.get(url) ?? new ScanConnection(url, { host, client, patience, metrics }),
    );
    for (const scan of this.#members.scans) if (!scans.includes(scan)) scan.close();
    this.#members = { scans, quorum: quorum ?? quorumOf(distinct.length) };
    this.#standing.clear();
  }

  /** Keeps asking scans that are silent or failed, so that `missing` stays true. */
  watch(): void {
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const scan of this.#members.scans) scan.close();
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
  askAll<T>(read: ScanRead<T>): Promise<readonly ({ readonly url: string } & ScanVote<Said<T>>)[]> {
    const question = this.#question(read, null);
    return Promise.all(
      this.#members.scans.map(async (scan) => ({ url: scan.url, ...(await scan.ask(question)) })),
    );
  }

  /** The agreed value. Throws a `ValidatorError`: the agreed refusal, or that there is no agreement. */
  async read<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<T> {
    const { said } = await this.agree(read, signal);
    if (said.kind === "value") return said.value;
    const { status, message } = said;
    throw new ValidatorError({ kind: "scan-rejection", status, message });
  }

  /**
   * The agreed answer, which may be a refusal. Throws a `ValidatorError` if there is no agreement. One that stands is given
   * again. A read of the same that is in flight is joined if it waits for the same record time: a later one might have to see more.
   */
  agree<T>(read: ScanRead<T>, signal?: AbortSignal): Promise<AgreedAnswer<T>> {
    const key = keyOfRead(read);
    const waitFor = this.#options.waitFor();
    const standing = this.#isWary() ? undefined : this.#standing.find(key, waitFor);
    if (standing === undefined)
      return this.#joined.join(`${waitFor ?? ""} ${key}`, (interest) => this.#agree(read, interest), signal);
    this.#metrics.countRead(standing.said.kind === "value" ? "agreed" : "refused");
    return Promise.resolve(standing as AgreedAnswer<T>);
  }

  async #agree<T>(read: ScanRead<T>, interest: Interest): Promise<AgreedAnswer<T>> {
    const { host, patience } = this.#options;
    const until = this.#now() + patience.read;
    const backoff = new Backoff({ ...SCAN_BACKOFF, jitter: host.randomness });
    let dispute: Dispute | null = this.#isWary() ? { time: null, scans: new Set() } : null;
    for (let round = 1; ; round++) {
      const { scans, quorum } = this.#members;
      const question = this.#question(read, dispute?.time ?? null);
      const poll = withoutDropouts(await this.#poll({ question, scans, quorum, dispute }), quorum, dispute);
      const { votes, agreed } = poll;
      this.#remember(read, poll, quorum);
      const said = agreed[0]?.said;
      if (said !== undefined && said.kind !== "failure") {
        this.#metrics.countRead(said.kind === "value" ? "agreed" : "refused");
        const answer = agreedAnswer(said, agreed);
        const standings = agreed.map(({ standing }) => standing);
        this.#standing.keep(keyOfRead(read), answer, standings);
        return answer;
      }
      this.#metrics.countRead("open");
      const isOver = round >= SCAN_ROUNDS || this.#closing.signal.aborted || interest.isLost;
      const pause = backoff.next();
      const silent = scans.length - votes.filter((vote) => vote.said.kind !== "failure").length;
      if (isOver || isDispute(quorum, votes, silent) || this.#now() + pause > until)
        throw this.#noAgreement(read, poll, quorum);
      dispute = disputeOf(quorum, votes, dispute);
      await sleep(pause, { timers: host.timers, signal: this.#closing.signal });
    }
  }

  #question<T>(read: ScanRead<T>, common: Time | null): Question<T> {
    const waitFor = laterOf(this.#options.waitFor(), common);
    return { read, answers: new ScanAnswers(read), waitFor };
  }

  #poll<T>({ scans, quorum, dispute, question }: PollRequest<T>): Promise<Poll<T>> {
    if (scans.length === 0) return Promise.resolve({ votes: [], agreed: [], pending: new Map() });
    const { host, patience } = this.#options;
    const needed = Math.max(quorum.needed, quorum.unanimous ? (dispute?.scans.size ?? 0) : 0);
    return pollScans({
      ...{ question, host, patience, isDisputed: dispute !== null, quorum: { ...quorum, needed } },
      scans: this.#inOrder(scans),
      bearsGrudge: (scan) => this.#bearsGrudge(scan),
    });
  }

  /** Scans that disagreed a moment ago are all asked from the start: enough equal answers alone prove too little. */
  #isWary(): boolean {
    return this.#disagreedAt > this.#now() - this.#options.patience.grudge;
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

  #remember<T>(read: ScanRead<T>, { votes, agreed, pending }: Poll<T>, quorum: Quorum): void {
    const now = this.#now();
    for (const vote of votes) {
      const { scan } = vote;
      const verdict = judgeVote<T, PolledVote<T>>(vote, { votes, agreed, quorum });
      this.#metrics.countVote(scan.url, verdict);
      const isDecided = verdict === "failed" || agreed.length > 0;
      if (verdict === "agreed" || !isDecided) continue;
      if (verdict === "lied") this.#reportLie(read, vote, agreed);
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

  #reportLie<T>({ what }: ScanRead<T>, { scan, at }: PolledVote<T>, agreed: readonly PolledVote<T>[]): void {
    const recordTime = at === null ? null : formatTime(at);
    this.#options.log.warn(
      { scan: scan.url, recordTime, agreed: agreed.map((vote) => vote.scan.url) },
      `a scan lied about ${what}: its answer differs from the agreed one at the same record time`,
    );
  }

  #noAgreement<T>({ what }: ScanRead<T>, { votes, pending }: Poll<T>, quorum: Quorum): ValidatorError {
    const { needed, scans, unanimous } = quorum;
    const answers = votes.filter(({ said }) => said.kind !== "failure");
    const said = describeVotes(
      votes.map((vote) => ({ ...vote, url: vote.scan.shownUrl })),
      [...pending.keys()].map(({ shownUrl }) => shownUrl),
    );
    const reasons = votes.flatMap((vote) =>
      vote.said.kind === "failure" ? [vote.said.reason.slice(0, 200)] : [],
    );
    this.#options.log.warn({ said, reasons }, `scans do not agree on ${what}`);
    const answered = answers.length;
    if (answered < needed)
      return new ValidatorError({ kind: "too-few-scans", answered, scans, needed, said });
    this.#disagreedAt = this.#now();
    return new ValidatorError({ kind: "scans-disagree", scans, needed: unanimous ? scans : needed, said });
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
      const { scans, quorum } = this.#members;
      const asked = scans.filter((scan) => scan.trouble !== null || scan.heardAt <= before);
      const question = this.#question(dsoPartyId, null);
      // Each alone: a scan that differs here is found by the next read.
      for (const vote of await Promise.all(
        asked.map(async (scan) => ({ scan, ...(await scan.ask(question)) })),
      ))
        this.#remember(dsoPartyId, { votes: [vote], agreed: [], pending: new Map() }, quorum);
    }
  }

  #now(): number {
    return this.#options.host.clock.elapsedMilliseconds();
  }
}

interface PollRequest<T> extends Members {
  readonly question: Question<T>;
  readonly dispute: Dispute | null;
}

/** Of few scans, none of those whose answers differed may drop out of the agreement. */
function withoutDropouts<T>(poll: Poll<T>, { unanimous }: Quorum, dispute: Dispute | null): Poll<T> {
  if (!unanimous || dispute === null) return poll;
  const agreeing = new Set(poll.agreed.map(({ scan }) => scan));
  return dispute.scans.isSubsetOf(agreeing) ? poll : { ...poll, agreed: [] };
}

/** Of all rounds so far; the earlier one if the answers of the last do not differ. */
function disputeOf<T>(
  quorum: Quorum,
  votes: readonly PolledVote<T>[],
  earlier: Dispute | null,
): Dispute | null {
  const groups = groupVotes<T, PolledVote<T>>(votes);
  if (groups.length < 2) return earlier;
  const scans = new Set(groups.flat().map(({ scan }) => scan));
  return {
    time: laterOf(earlier?.time ?? null, decideCommonTime(quorum, votes)),
    scans: earlier === null ? scans : scans.union(earlier.scans),
  };
}

function laterOf(a: Time | null, b: Time | null): Time | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
