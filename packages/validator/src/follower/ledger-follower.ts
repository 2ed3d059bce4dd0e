/**
 * Follows the participant's updates into the wallet store. It waits at the participant for the next update, then
 * reads up to the ledger's end in pages. A failure is tried again after a growing pause. A participant whose ledger is
 * shorter than ours was may have lost its last moments and be getting them back: it is waited for while it moves on,
 * for a bounded time, and only then read from its beginning.
 */

import type { Transaction, Update } from "@callsign/api";
import type { Log } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { formatOf } from "../ledger/event-formats.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { listActive } from "../ledger/list-active.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import type { Advance } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { pause } from "../waiting/pause.ts";

export interface FollowerParts {
  readonly participant: ParticipantClient;
  readonly store: WalletStore;
  readonly clock: LedgerClock;
  readonly log: Log;
  /** After every step forward, with what it changed. */
  readonly onAdvance: (advance: Advance) => void;
  readonly patience?: Patience;
}

/** How long a participant that stands earlier is waited for: without a step forward, and altogether. */
export interface Patience {
  readonly stillMilliseconds: number;
  readonly totalMilliseconds: number;
}

const PATIENCE: Patience = { stillMilliseconds: 20_000, totalMilliseconds: 5 * 60_000 };
const BEHIND_PAUSE = 200;

const PAGE = 200;
const WAIT_MILLISECONDS = 10_000;
const WAIT_TIMEOUT_MILLISECONDS = 30_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 3000;

const NOTHING: Advance = { paid: new Set(), owners: new Set(), touched: new Set() };

interface Behind {
  readonly since: number;
  readonly end: number;
  readonly movedAt: number;
}

interface Waiter {
  readonly offset: number;
  readonly resolve: () => void;
}

export class LedgerFollower {
  readonly #parts: FollowerParts;
  readonly #closing = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #parties: readonly string[] = [];
  /** Who is to be followed besides, with whom it may concern. */
  readonly #joining = new Map<string, PromiseWithResolvers<void>>();
  #dso = "";
  #offset = 0;
  #connected = false;
  #behind: Behind | undefined;
  /** Where the copy is whole again, while it is made anew. */
  #wholeAt: number | undefined;
  #running: Promise<void> | undefined;
  #waiting: AbortController | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** What keeps the copy from being as good as the participant's ledger; null if nothing does. */
  get missing(): string | null {
    if (!this.#connected) return "the participant does not answer";
    if (this.isRebuilding) return "the ledger is being read anew";
    return this.#behind === undefined ? null : "the participant's ledger is shorter than it was";
  }

  /** Whether things are missing in the store that were in it before. */
  get isRebuilding(): boolean {
    return this.#wholeAt !== undefined;
  }

  /** Up to where the store has come. */
  get offset(): number {
    return this.#offset;
  }

  /** Follows these parties, besides those it has followed before, on the network of that DSO. */
  async start(parties: readonly string[], dso: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    const known = await store.followed();
    const wanted = [...new Set([...known, ...parties])].sort();
    const isSame = wanted.length === known.length && (await store.findDso()) === dso;
    if (!isSame || !(await store.keepsEveryKind())) {
      log.info({ parties: wanted, dso }, "reading the ledger from its beginning, for what is new here");
      await store.restart(wanted, dso);
    }
    this.#dso = dso;
    const { offset, recordTime } = await store.position();
    this.#parties = wanted;
    this.#offset = offset;
    clock.observe(recordTime as typeof clock.now);
    this.#running = this.#run();
  }

  /** Whom it follows. */
  get parties(): readonly string[] {
    return this.#parties;
  }

  /** Follows that party from now on, and resolves once what it has is in the store as well. */
  follow(party: string): Promise<void> {
    if (this.#parties.includes(party)) return Promise.resolve();
    const joining = this.#joining.get(party) ?? Promise.withResolvers<void>();
    this.#joining.set(party, joining);
    this.#waiting?.abort();
    return joining.promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    for (const { reject } of this.#joining.values()) reject(new Error("the follower was closed"));
    for (const { resolve } of this.#waiters) resolve();
    this.#waiters.clear();
  }

  /** Whether the store has come to that offset within the time. */
  async waitFor(offset: number, milliseconds: number): Promise<boolean> {
    if (this.#offset >= offset) return true;
    await new Promise<void>((resolve) => {
      const waiter = { offset, resolve: () => done() };
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#waiters.add(waiter);
      if (this.#closing.signal.aborted) done();
    });
    return this.#offset >= offset;
  }

  /**
   * Whether the store has come to the ledger's end of now within the time. What concerns others moves that end too,
   * and nobody tells: so it does not wait for the next update, but looks.
   */
  async catchUp(milliseconds: number): Promise<boolean> {
    const end = await this.#parts.participant.ledgerEnd(this.#closing.signal);
    if (end > this.#offset) this.#waiting?.abort();
    return await this.waitFor(end, milliseconds);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let wait = FIRST_PAUSE;
    while (!signal.aborted) {
      try {
        await this.#step(signal);
        wait = FIRST_PAUSE;
      } catch (error) {
        if (signal.aborted) return;
        this.#connected = false;
        this.#parts.log.warn(
          { error: describeError(error) },
          "the participant's updates cannot be read; trying again",
        );
        await this.#recover(ledgerErrorOf(error)?.code);
        await pause(wait, signal);
        wait = Math.min(2 * wait, LONGEST_PAUSE);
      }
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { participant } = this.#parts;
    if (this.#joining.size > 0) await this.#join();
    const end = await participant.ledgerEnd(signal);
    // It has answered; the wait for what comes next may be a long one.
    this.#connected = true;
    if (end < this.#offset) return await this.#waitForParticipant(end, signal);
    this.#behind = undefined;
    if (end === this.#offset) return await this.#wait(signal);
    const updates = await participant.client.listUpdates(
      {
        query: { limit: BigInt(PAGE) },
        body: { beginExclusive: this.#offset, endInclusive: end, updateFormat: formatOf(this.#parties) },
      },
      { signal },
    );
    const last = updates.at(-1)?.update ?? {};
    // A full page, and one that ends with a checkpoint, has more behind it.
    const isWhole = updates.length < PAGE && !("OffsetCheckpoint" in last);
    await this.#apply(updates, isWhole ? end : this.#offset);
  }

  /** What they have is read as it was where the store stands: what comes after that is read for all. */
  async #join(): Promise<void> {
    const { participant, store, clock } = this.#parts;
    const joining = [...this.#joining];
    this.#joining.clear();
    const parties = joining.map(([party]) => party);
    const position = { offset: this.#offset, recordTime: clock.now };
    try {
      for await (const page of listActive(participant, { parties, activeAtOffset: this.#offset })) {
        const events = page.map((CreatedEvent) => ({ CreatedEvent }));
        this.#parts.onAdvance(await store.apply([{ events }], position, this.#dso));
      }
      // They come last: with a store that was cut short before, the next start begins anew.
      await store.addFollowed(parties);
      this.#parties = [...this.#parties, ...parties].sort();
      for (const [, { resolve }] of joining) resolve();
    } catch (error) {
      for (const [, { reject }] of joining) reject(error);
    }
  }

  /** What is in the store stays there meanwhile. */
  async #waitForParticipant(end: number, signal: AbortSignal): Promise<void> {
    const { log, patience = PATIENCE } = this.#parts;
    const now = performance.now();
    const before = this.#behind;
    if (before === undefined) {
      const text =
        "the participant's ledger is shorter than it was: waiting for it to come back to where it stood";
      log.warn({ offset: this.#offset, end }, text);
    }
    const behind = {
      since: before?.since ?? now,
      end,
      movedAt: before === undefined || end > before.end ? now : before.movedAt,
    };
    this.#behind = behind;
    const isStill = now - behind.movedAt >= patience.stillMilliseconds;
    if (isStill || now - behind.since >= patience.totalMilliseconds) return await this.#startOver(end);
    await pause(BEHIND_PAUSE, signal);
  }

  /** The first update that comes ends the waiting; whatever came with it is read in the next step. */
  async #wait(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    try {
      const updates = await this.#parts.participant.client.listUpdates(
        {
          query: { limit: 1n, stream_idle_timeout_ms: BigInt(WAIT_MILLISECONDS) },
          body: { beginExclusive: this.#offset, updateFormat: formatOf(this.#parties) },
        },
        {
          signal: AbortSignal.any([signal, waiting.signal]),
          timeoutMilliseconds: WAIT_TIMEOUT_MILLISECONDS,
        },
      );
      await this.#apply(updates, this.#offset);
    } catch (error) {
      // Somebody wants to know about the end now: the next step looks.
      if (!waiting.signal.aborted) throw error;
    } finally {
      this.#waiting = undefined;
    }
  }

  async #apply(updates: readonly Update[], upTo: number): Promise<void> {
    const { store, clock, onAdvance } = this.#parts;
    let offset = upTo;
    let moved = false;
    const transactions: Transaction[] = [];
    for (const { update } of updates) {
      if ("Transaction" in update) {
        transactions.push(update.Transaction.value);
        offset = Math.max(offset, update.Transaction.value.offset);
        moved = clock.observeText(update.Transaction.value.recordTime) || moved;
      }
      if ("OffsetCheckpoint" in update) {
        const { value } = update.OffsetCheckpoint;
        offset = Math.max(offset, value.offset);
        for (const { recordTime } of value.synchronizerTimes) moved = clock.observeText(recordTime) || moved;
      }
    }
    if (offset === this.#offset && transactions.length === 0) {
      if (moved) onAdvance(NOTHING);
      return;
    }
    this.#arrive(await store.apply(transactions, { offset, recordTime: clock.now }, this.#dso), offset);
  }

  /** The store stands there now. */
  #arrive(advance: Advance, offset: number): void {
    this.#offset = offset;
    if (this.#wholeAt !== undefined && offset >= this.#wholeAt) this.#wholeAt = undefined;
    for (const waiter of [...this.#waiters]) if (waiter.offset <= offset) waiter.resolve();
    this.#parts.onAdvance(advance);
  }

  /** What trying again would not mend. */
  async #recover(code: string | undefined): Promise<void> {
    try {
      if (code === "PARTICIPANT_PRUNED_DATA_ACCESSED") await this.#load();
    } catch (error) {
      this.#parts.log.warn({ error: describeError(error) }, "the store could not be made anew; trying again");
    }
  }

  /** From what is active now, where the participant has dropped the history from which we wanted to go on. */
  async #load(): Promise<void> {
    const { participant, store, clock, log } = this.#parts;
    log.warn(
      { offset: this.#offset },
      "the participant has pruned its history: reading active contracts instead",
    );
    const activeAtOffset = await participant.ledgerEnd(this.#closing.signal);
    this.#wholeAt = activeAtOffset;
    await store.restart(this.#parties, this.#dso);
    this.#offset = 0;
    for await (const page of listActive(participant, { parties: this.#parties, activeAtOffset })) {
      const events = page.map((CreatedEvent) => ({ CreatedEvent }));
      // The position comes last: a load that was cut short begins anew.
      await store.apply([{ events }], { offset: 0, recordTime: clock.now }, this.#dso);
    }
    this.#arrive(
      await store.apply([], { offset: activeAtOffset, recordTime: clock.now }, this.#dso),
      activeAtOffset,
    );
  }

  async #startOver(end: number): Promise<void> {
    this.#parts.log.warn(
      { offset: this.#offset, end },
      "the participant's ledger stays shorter than it was: reading it anew",
    );
    this.#wholeAt = end;
    await this.#parts.store.restart(this.#parties, this.#dso);
    this.#behind = undefined;
    this.#offset = 0;
  }
}
