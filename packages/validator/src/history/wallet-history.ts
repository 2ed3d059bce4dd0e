/**
 * Follows the copy of the ledger with the history of its wallets: each update up to the copy's offset is read once more,
 * with everything that the wallets' parties see of it. Updates are left to gather for a moment while nobody asks for the
 * history. A party that is new is read from the ledger's beginning first.
 */
import type { NameRequest, TransactionItem } from "@callsign/api";
import { Backoff, Bell, type Host, type Log, repeat, type Store } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { ValidatorError } from "../errors/validator-error.ts";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import { namedIfFew } from "../ledger/event-formats.ts";
import { listActive } from "../ledger/list-active.ts";
import { onlyContractsSeenBy, onlyUpdatesSeenBy } from "../ledger/only-seen-by.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import type { UpdatePage } from "../ledger/update-page.ts";
import {
  FOLLOW_BACKOFF,
  HISTORY_GATHER_MILLISECONDS,
  INGESTION_MILLISECONDS,
  TAKE_UP_MILLISECONDS,
  UPDATE_WAIT_MILLISECONDS,
} from "../limits/limits.ts";
import { derivePage, listUsed } from "./derive-page.ts";
import { type FundCouponPage, type FundCouponQuery, listEndedFundCoupons } from "./fund-coupons.ts";
import { HistoryMoved, HistoryStore } from "./history-store.ts";
import { type KnownFacts, knownTemplates, learn, noFacts, withoutPaidRequests } from "./known-contracts.ts";
import type { TrackedKind, TrackedOutcomes, TrackedStatus, TrackingIdRange } from "./tracked-outcomes.ts";

export interface WalletHistoryParts {
  readonly participant: ParticipantClient;
  readonly database: Store;
  readonly follower: LedgerFollower;
  readonly dso: string;
  /** The last part of names. */
  readonly acronym: string;
  readonly host: Host;
  readonly log: Log;
}

export class WalletHistory implements TrackedOutcomes {
  readonly #parts: WalletHistoryParts;
  readonly #store: HistoryStore;
  readonly #closing = new AbortController();
  readonly #moved: Bell;
  readonly #running: Promise<void>;
  #offset: number;
  #losses = 0;
  /** Callers who wait for the history. */
  #waiting = 0;
  readonly #asked: Bell;
  readonly #parties: Set<string>;

  private constructor(
    parts: WalletHistoryParts,
    store: HistoryStore,
    from: { readonly offset: number; readonly parties: readonly string[] },
  ) {
    this.#parts = parts;
    this.#store = store;
    this.#offset = from.offset;
    this.#parties = new Set(from.parties);
    this.#moved = new Bell(parts.host.timers);
    this.#asked = new Bell(parts.host.timers);
    this.#running = this.#follow();
  }

  static async open(parts: WalletHistoryParts): Promise<WalletHistory> {
    const store = new HistoryStore(parts.database);
    return new WalletHistory(parts, store, await store.open(parts.dso, parts.follower.parties));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Lists newest first, as recent as the copy of the ledger. */
  async listItems(
    party: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly TransactionItem[]> {
    await this.#catchUp(party);
    return await this.#store.listItems(party, page);
  }

  /** Lists ended coupons, as recent as the copy of the ledger. */
  async listEndedFundCoupons(party: string, page: FundCouponQuery): Promise<FundCouponPage> {
    await this.#catchUp(party);
    return await listEndedFundCoupons(this.#parts.database, party, page);
  }

  /** Lists newest first, as recent as the copy of the ledger. */
  async listNameRequests(
    party: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly NameRequest[]> {
    await this.#catchUp(party);
    return await this.#store.nameRequests.list(party, page);
  }

  async findNameRequest(party: string, reference: string): Promise<NameRequest | undefined> {
    await this.#catchUp(party);
    return await this.#store.nameRequests.find(party, reference);
  }

  /**
   * The last request to take up that entry, once the SVs have decided or the time is over. Behind a request that was sent and
   * may still be under way, `sent` waits for another one than the last before it.
   */
  async awaitTakeUp(
    party: string,
    entry: string,
    sent?: { readonly before: NameRequest | undefined },
  ): Promise<NameRequest | undefined> {
    const { clock } = this.#parts.host;
    const until = clock.elapsedMilliseconds() + TAKE_UP_MILLISECONDS;
    for (;;) {
      await this.#catchUp(party);
      const seen = this.#offset;
      const found = await this.#store.nameRequests.findTakeUp(party, entry);
      const left = until - clock.elapsedMilliseconds();
      const isUnderWay = sent !== undefined && found?.id === sent.before?.id;
      if ((!isUnderWay && found?.state !== "requested") || left <= 0) return found;
      if (!(await this.#until(() => this.#offset !== seen, left))) return found;
    }
  }

  async find(party: string, kind: TrackedKind, trackingId: string): Promise<TrackedStatus | undefined> {
    await this.#catchUp(party);
    return await this.#store.findTracked(party, kind, trackingId);
  }

  /** Lists the party's tracking ids from `first` to `last`, the highest first, as recent as the copy. */
  async listTrackingIds(
    party: string,
    kind: TrackedKind,
    range: TrackingIdRange,
  ): Promise<readonly string[]> {
    await this.#catchUp(party);
    return await this.#store.listTrackingIds(party, kind, range);
  }

  /** Throws if the history stays behind: after an update of the validator it may be read for the first time. */
  async #catchUp(party: string): Promise<void> {
    const { offset } = this.#parts.follower;
    const isThere = () => this.#offset >= offset && this.#parties.has(party);
    if (!(await this.#until(isThere, INGESTION_MILLISECONDS)))
      throw new ValidatorError({ kind: "copy-rebuilding" });
  }

  /** Meanwhile updates do not gather. */
  async #until(holds: () => boolean, milliseconds: number): Promise<boolean> {
    if (holds()) return true;
    this.#waiting++;
    this.#asked.ring();
    try {
      return await this.#moved.until(holds, { milliseconds, signal: this.#closing.signal });
    } finally {
      this.#waiting--;
    }
  }

  #follow(): Promise<void> {
    const { host, log } = this.#parts;
    return repeat(() => this.#step(), {
      backoff: new Backoff(FOLLOW_BACKOFF),
      timers: host.timers,
      signal: this.#closing.signal,
      onFailure: async (error) => {
        log.warn({ error: describeError(error) }, "reading the history of wallets failed; it is retried");
        if (error instanceof HistoryMoved) this.#moveTo(error.offset);
        if (ledgerErrorOf(error)?.code === "PARTICIPANT_PRUNED_DATA_ACCESSED") await this.#skipPruned();
      },
    });
  }

  async #step(): Promise<void> {
    const { follower } = this.#parts;
    const { signal } = this.#closing;
    await this.#checkLosses();
    if (this.#hasNewcomers()) return await this.#join();
    const end = follower.offset;
    if (end > this.#offset) return await this.#readOn(end);
    if (end < this.#offset && (await this.#isRewound())) return;
    // The offset of a copy that is rebuilt moves, too.
    const hasMoved = () => follower.offset !== end || this.#hasNewcomers();
    if (!(await follower.until(hasMoved, UPDATE_WAIT_MILLISECONDS, signal))) return;
    await this.#asked.until(() => this.#waiting > 0, { milliseconds: HISTORY_GATHER_MILLISECONDS, signal });
  }

  /** Goes back to the stored offset if the database has lost commits. */
  async #checkLosses(): Promise<void> {
    const losses = (await this.#parts.database.losses?.()) ?? 0;
    if (losses === this.#losses) return;
    this.#losses = losses;
    this.#moveTo(await this.#store.offset());
  }

  /** True if the copy has a party that the history does not follow yet. A followed party is never dropped. */
  #hasNewcomers(): boolean {
    return this.#parts.follower.parties.size > this.#parties.size;
  }

  async #readOn(end: number): Promise<void> {
    const from = this.#offset;
    const page = await this.#read(this.#parties, from, end);
    await this.#apply(page, this.#parties, { from, to: page.offset });
    this.#moveTo(page.offset);
  }

  /** Reads the past of new parties up to the history's offset. An interrupted read begins again. */
  async #join(): Promise<void> {
    const parties = this.#parts.follower.parties.difference(this.#parties);
    const to = this.#offset;
    const pruned = to === 0 ? 0 : await this.#prunedOffset();
    if (pruned > 0) await this.#store.addFacts(await this.#loadFacts(parties, pruned));
    for (let after = pruned; after < to; ) {
      const page = await this.#read(parties, after, to);
      await this.#apply(page, parties, { from: to, to });
      after = page.offset;
    }
    await this.#store.addParties([...parties]);
    for (const party of parties) this.#parties.add(party);
    this.#moved.ring();
  }

  async #read(parties: ReadonlySet<string>, after: number, end: number): Promise<UpdatePage> {
    const place = { parties: namedIfFew(parties), after, shape: "ledger-effects" } as const;
    const page = await this.#parts.participant.readUpdates(place, end, this.#closing.signal);
    return onlyUpdatesSeenBy(parties, page);
  }

  async #apply(
    { transactions }: UpdatePage,
    parties: ReadonlySet<string>,
    place: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const { dso, acronym, log } = this.#parts;
    const known = await this.#store.findKnown(listUsed(transactions));
    const derived = derivePage(transactions, known, {
      ...{ dso, acronym, parties },
      onFailure: (error, { updateId }) =>
        log.warn({ error: describeError(error), updateId }, "the history does not understand an update"),
    });
    await this.#store.apply(derived, place);
  }

  /** True if the participant's ledger stays shorter than the history, so that the copy was rebuilt: so is the history. */
  async #isRewound(): Promise<boolean> {
    const { participant, follower, log } = this.#parts;
    const end = await participant.ledgerEnd(this.#closing.signal);
    if (end >= this.#offset || follower.missing !== null) return false;
    log.warn({ offset: this.#offset, end }, "the participant's ledger is shorter: reading the history anew");
    await this.#store.restart(end);
    this.#moveTo(0);
    return true;
  }

  /** The participant keeps no updates up to an offset: the history goes on there, with the contracts that are active. */
  async #skipPruned(): Promise<void> {
    const { log } = this.#parts;
    try {
      const pruned = await this.#prunedOffset();
      if (pruned <= this.#offset) return;
      const facts = await this.#loadFacts(this.#parties, pruned);
      const place = { from: this.#offset, to: pruned };
      log.warn(place, "the participant has pruned updates: the history of wallets lacks them");
      await this.#store.skipTo(pruned, facts);
      this.#moveTo(pruned);
    } catch (error) {
      log.warn({ error: describeError(error) }, "going on behind pruned updates failed; it is retried");
    }
  }

  async #prunedOffset(): Promise<number> {
    const { client } = this.#parts.participant;
    return (await client.getLatestPrunedOffsets({})).participantPrunedUpToInclusive;
  }

  async #loadFacts(parties: ReadonlySet<string>, activeAtOffset: number): Promise<KnownFacts> {
    const { participant, dso } = this.#parts;
    const facts = noFacts();
    const terms = { dso, parties };
    const query = { parties: namedIfFew(parties), activeAtOffset, templates: knownTemplates };
    for await (const page of listActive(participant, query))
      for (const event of onlyContractsSeenBy(parties, page)) learn(facts, event, terms);
    return withoutPaidRequests(facts);
  }

  #moveTo(offset: number): void {
    this.#offset = offset;
    this.#moved.ring();
  }
}
