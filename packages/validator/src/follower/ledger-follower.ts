/**
 * Follows the participant's updates into the wallet store. It waits at the participant for the next update, then reads
 * up to the ledger's end in pages. Behind an update that it waited for alone, and behind updates of other parties alone, it
 * waits for the next one at once. It retries a failure after a growing pause. A participant whose ledger has become shorter
 * may be catching up: only after a bounded time the copy is rebuilt from the ledger's beginning.
 */
import {
  Backoff,
  type Host,
  type LedgerAdvance,
  type Log,
  repeat,
  type StoreMetrics,
  sleep,
} from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { namedIfFew } from "../ledger/event-formats.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { listActive } from "../ledger/list-active.ts";
import { onlyContractsSeenBy, onlyUpdatesSeenBy } from "../ledger/only-seen-by.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import type { UpdatePage } from "../ledger/update-page.ts";
import { canReadAsAnyParty, grantRight } from "../ledger/user-rights.ts";
import {
  FOLLOW_BACKOFF,
  LONE_UPDATE_MILLISECONDS,
  REWIND_PATIENCE,
  REWIND_POLL_MILLISECONDS,
} from "../limits/limits.ts";
import { CopyMoved } from "../store/stored-position.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { CopyPosition } from "./copy-position.ts";
import { JoiningParties } from "./joining-parties.ts";
import { NextUpdate } from "./next-update.ts";
import { type RewindPatience, RewindWatch } from "./rewind-watch.ts";

export interface LedgerFollowerParts {
  readonly participant: ParticipantClient;
  readonly store: WalletStore;
  readonly clock: LedgerClock;
  readonly host: Host;
  readonly log: Log;
  readonly patience?: RewindPatience;
  readonly copyMetrics?: StoreMetrics | undefined;
}

const NOTHING: LedgerAdvance = { paid: new Set(), owners: new Set(), touched: new Set() };

export class LedgerFollower {
  readonly #parts: LedgerFollowerParts;
  readonly #dso: string;
  readonly #closing = new AbortController();
  readonly #position: CopyPosition;
  readonly #rewind: RewindWatch;
  readonly #joining = new JoiningParties();
  readonly #next: NextUpdate;
  readonly #listeners = new Set<(advance: LedgerAdvance) => void>();
  readonly #running: Promise<void>;
  readonly #parties: Set<string>;
  /** False until it is known that the participant lets the validator read for many parties at once. */
  #mayReadMany = false;
  /** True if the next update is waited for without asking where the ledger ends. */
  #isAtEnd = false;
  /** The reason why the participant cannot be read; null while it can. */
  #problem: string | null = "it was not asked yet";

  private constructor(
    parts: LedgerFollowerParts,
    from: { readonly parties: readonly string[]; readonly dso: string; readonly offset: number },
  ) {
    const { participant, host, patience = REWIND_PATIENCE } = parts;
    this.#parts = parts;
    this.#dso = from.dso;
    this.#parties = new Set(from.parties);
    this.#position = new CopyPosition(from.offset, host.timers);
    this.#rewind = new RewindWatch(patience);
    this.#next = new NextUpdate(participant, this.#closing.signal);
    this.#running = this.#follow();
  }

  /** Follows these parties, besides those it has followed before, on the network of that DSO. */
  static async open(
    parts: LedgerFollowerParts,
    parties: readonly string[],
    dso: string,
  ): Promise<LedgerFollower> {
    const { store, clock, log } = parts;
    const known = await store.followed();
    const wanted = [...new Set([...known, ...parties])].sort();
    const isSame = wanted.length === known.length && (await store.findDso()) === dso;
    if (!isSame) {
      log.info({ parties: wanted, dso }, "new parties: reading the ledger from its beginning");
      await store.restart(wanted, dso);
    }
    const { offset, recordTime } = await store.position();
    clock.observe(recordTime as typeof clock.now);
    return new LedgerFollower(parts, { parties: wanted, dso, offset });
  }

  /** The reason why the copy is not as good as the participant's ledger; null if it is. */
  get missing(): string | null {
    if (this.#problem !== null) return `the participant cannot be read: ${this.#problem}`;
    if (this.isRebuilding) return "the ledger is being read anew";
    return this.#rewind.isRewound ? "the participant's ledger is shorter than it was" : null;
  }

  /** True while the store lacks contracts that were in it before. */
  get isRebuilding(): boolean {
    return this.#position.isRebuilding;
  }

  get offset(): number {
    return this.#position.offset;
  }

  get parties(): ReadonlySet<string> {
    return this.#parties;
  }

  /** Calls back after every step forward, with its effects. */
  subscribe(listener: (advance: LedgerAdvance) => void): void {
    this.#listeners.add(listener);
  }

  /** Follows that party from now on, and resolves once its contracts are in the store as well. */
  async follow(party: string): Promise<void> {
    if (this.#parties.has(party)) return;
    const joined = this.#joining.add(party);
    this.#next.interrupt();
    await joined;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    for (const { reject } of this.#joining.takeAll()) reject(new Error("the follower was closed"));
  }

  /** Resolves with true once the store has come to that offset, and with false when the time is over. */
  waitFor(offset: number, milliseconds: number): Promise<boolean> {
    return this.#position.waitFor(offset, milliseconds, this.#closing.signal);
  }

  /**
   * The same for the ledger's present end. Transactions of other parties move that end without an update: so it does
   * not wait for the next one, but reads.
   */
  async catchUp(milliseconds: number): Promise<boolean> {
    const end = await this.#parts.participant.ledgerEnd(this.#closing.signal);
    if (end > this.offset) this.#next.interrupt();
    return await this.waitFor(end, milliseconds);
  }

  /** Resolves with true once the copy, or the parties it follows, fulfil that condition, and with false otherwise. */
  until(holds: () => boolean, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return this.#position.until(holds, milliseconds, AbortSignal.any([this.#closing.signal, signal]));
  }

  #follow(): Promise<void> {
    return repeat(() => this.#step(), {
      backoff: new Backoff(FOLLOW_BACKOFF),
      timers: this.#parts.host.timers,
      signal: this.#closing.signal,
      onFailure: async (error) => {
        this.#problem = describeError(error);
        this.#mayReadMany = false;
        const { log } = this.#parts;
        log.warn({ error: describeError(error) }, "reading the participant's updates failed; it is retried");
        if (ledgerErrorOf(error)?.code === "PARTICIPANT_PRUNED_DATA_ACCESSED") await this.#loadActive();
        // The copy's database has lost commits: updates behind its position are read again.
        if (error instanceof CopyMoved) this.#position.moveTo(error.offset);
      },
    });
  }

  async #step(): Promise<void> {
    const { participant, store, host } = this.#parts;
    const { signal } = this.#closing;
    await store.checkLosses(this.offset);
    if (!this.#joining.isEmpty) await this.#join();
    await this.#allowReading(this.#parties);
    const end = this.#isAtEnd ? this.offset : await participant.ledgerEnd(signal);
    this.#isAtEnd = false;
    const after = this.offset;
    // The wait for the next update may be a long one. A copy that is behind is not as good until updates are read.
    if (end <= this.offset) this.#problem = null;
    if (end < this.offset) return await this.#waitForParticipant(end);
    this.#rewind.clear();
    const place = { parties: namedIfFew(this.#parties), after };
    const isAwaited = end === after;
    const begun = host.clock.elapsedMilliseconds();
    const page = await (isAwaited ? this.#next.wait(place) : participant.readUpdates(place, end, signal));
    const milliseconds = host.clock.elapsedMilliseconds() - begun;
    await this.#apply(onlyUpdatesSeenBy(this.#parties, page));
    // The end keeps moving while other parties' updates arrive: reads up to it would follow one another without a pause.
    this.#isAtEnd =
      page.transactions.length === 0
        ? page.offset > after
        : isAwaited && milliseconds >= LONE_UPDATE_MILLISECONDS;
    this.#problem = null;
  }

  /** With few parties the right is not needed, and the validator's user does not get it. */
  async #allowReading(parties: ReadonlySet<string>): Promise<void> {
    if (this.#mayReadMany || namedIfFew(parties) !== null) return;
    const { participant } = this.#parts;
    await grantRight(participant, participant.userId, canReadAsAnyParty);
    this.#mayReadMany = true;
  }

  /** Reads the contracts of new parties as of the copy's offset: later updates are read for all parties. */
  async #join(): Promise<void> {
    const { participant, store, clock } = this.#parts;
    const joining = this.#joining.takeAll();
    const parties = new Set(joining.map(({ party }) => party));
    const position = { ...this.#place, recordTime: clock.now };
    try {
      await this.#allowReading(parties);
      const query = { parties: namedIfFew(parties), activeAtOffset: this.offset };
      for await (const page of listActive(participant, query)) {
        const events = onlyContractsSeenBy(parties, page).map((CreatedEvent) => ({ CreatedEvent }));
        this.#tell(await store.apply([{ events }], position));
      }
      // The parties come last: a start after an interrupted load reads the ledger from its beginning.
      await store.addFollowed([...parties]);
      for (const party of parties) this.#parties.add(party);
      this.#position.ring();
      for (const { resolve } of joining) resolve();
    } catch (error) {
      for (const { reject } of joining) reject(error);
    }
  }

  /** The store keeps its contracts meanwhile. */
  async #waitForParticipant(end: number): Promise<void> {
    const { log, store, host } = this.#parts;
    const place = { offset: this.offset, end };
    if (!this.#rewind.isRewound)
      log.warn(place, "the participant's ledger is shorter than it was: waiting for it to catch up");
    if (this.#rewind.observe(end, host.clock.elapsedMilliseconds())) {
      log.warn(
        place,
        "the participant's ledger stays shorter than it was: rebuilding the copy of the ledger",
      );
      await this.#position.rebuild(end, () => store.restart([...this.#parties], this.#dso));
      this.#rewind.clear();
      return;
    }
    await sleep(REWIND_POLL_MILLISECONDS, { timers: host.timers, signal: this.#closing.signal });
  }

  async #apply({ transactions, offset, recordTimes }: UpdatePage): Promise<void> {
    const { store, clock, host, copyMetrics } = this.#parts;
    const before = clock.now;
    for (const time of recordTimes) clock.observeText(time);
    if (offset === this.offset && transactions.length === 0) {
      if (clock.now > before) this.#tell(NOTHING);
      return;
    }
    const begun = host.clock.elapsedMilliseconds();
    const advance = await store.apply(transactions, { ...this.#place, offset, recordTime: clock.now });
    const milliseconds = host.clock.elapsedMilliseconds() - begun;
    copyMetrics?.countBatch({ updates: transactions.length, ...countEvents(transactions), milliseconds });
    this.#position.moveTo(offset);
    this.#tell(advance);
  }

  /** Loads the active contracts, where the participant has pruned the updates behind the copy's offset. */
  async #loadActive(): Promise<void> {
    const { participant, store, clock, log } = this.#parts;
    try {
      log.warn(
        { offset: this.offset },
        "the participant has pruned the updates behind this offset: the validator is new, or was away for longer than " +
          "the retention. It reads active contracts, and does not know what happened in between",
      );
      const activeAtOffset = await participant.ledgerEnd(this.#closing.signal);
      await this.#position.rebuild(activeAtOffset, () => store.restart([...this.#parties], this.#dso));
      const position = { ...this.#place, recordTime: clock.now };
      const advances: LedgerAdvance[] = [];
      const query = { parties: namedIfFew(this.#parties), activeAtOffset };
      for await (const page of listActive(participant, query)) {
        const events = onlyContractsSeenBy(this.#parties, page).map((CreatedEvent) => ({ CreatedEvent }));
        // The position comes last: an interrupted load begins again.
        advances.push(await store.apply([{ events }], position));
      }
      const end = { ...position, offset: activeAtOffset, recordTime: clock.now };
      advances.push(await store.apply([], end));
      this.#position.moveTo(activeAtOffset);
      for (const advance of advances) this.#tell(advance);
    } catch (error) {
      log.warn({ error: describeError(error) }, "rebuilding the copy of the ledger failed; it is retried");
    }
  }

  /** The place of the copy, as a step from there to itself. */
  get #place() {
    return { from: this.offset, offset: this.offset, dso: this.#dso };
  }

  #tell(advance: LedgerAdvance): void {
    for (const listener of this.#listeners) listener(advance);
  }
}

function countEvents(transactions: UpdatePage["transactions"]) {
  let [created, archived] = [0, 0];
  for (const { events } of transactions) {
    for (const event of events) {
      if ("CreatedEvent" in event) created++;
      else archived++;
    }
  }
  return { created, archived };
}
