/**
 * The contracts of the DSO that the SVs' automations look for, kept by the replica in its own transaction: by name, by
 * reference, by owner, by action, and by the time at which they fall due. So work follows changes and due times, and a
 * hundred thousand names that nobody touches cost nothing. Contracts that the network's own DSO did not sign are left
 * out, because anybody can write their like; kinds of requests to the DSO are the exception.
 */
import {
  AnsEntryContext,
  ClosedMiningRound,
  type Contract,
  type ContractId,
  DsoRules,
  type Hash,
  LockedAmulet,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  requiredConfirmations,
  SubscriptionRequest,
  SummarizingMiningRound,
  type Time,
  TransferCommandCounter,
} from "@callsign/ledger";
import { inTransaction, migrateDatabase } from "@callsign/node";
import type {
  ArchivedContract,
  CreatedContract,
  ReplicaChange,
  ReplicaConsumer,
  SqliteState,
} from "@callsign/synchronizer";
import type { AgendaKind, AgendaRow, ColumnContext } from "../kinds/agenda-kind.ts";
import { AGENDA_KINDS, findKind, subjectsOf } from "../kinds/agenda-kinds.ts";
import { decodePayload } from "../kinds/decode-payload.ts";
import { contentKey, contractKey } from "../kinds/keys.ts";
import { COINS, ROUNDS, type Subject } from "../kinds/subject.ts";
import { LONGEST_REQUEST_WAIT, REQUEST_WAIT } from "../limits/limits.ts";
import { AgendaCoins, COIN_TEMPLATES, coinOf, isCoin } from "./agenda-coins.ts";
import { AgendaCoupons, COUPON_TEMPLATES, isCoupon } from "./agenda-coupons.ts";
import { AGENDA_DERIVED } from "./agenda-derived.ts";
import { AGENDA_CHECKED, AGENDA_MIGRATIONS } from "./agenda-migrations.ts";
import { AgendaRounds } from "./agenda-rounds.ts";
import { AgendaRows } from "./agenda-rows.ts";

/** The context that a reference stands for. */
export interface FoundContext {
  readonly cid: ContractId;
  readonly payload: PayloadOf<typeof AnsEntryContext>;
}

export interface AgendaListener {
  readonly subjectChanged: (subject: Subject) => void;
  /** The contract that is the subject is gone: nothing is left to do about it. */
  readonly subjectEnded: (subject: Subject) => void;
  /** Rules or rounds have changed: every pending subject is decided again. */
  readonly rulesChanged: () => void;
}

/** Templates that have tables of their own. */
const OTHER_TEMPLATES = [OpenMiningRound, ...COUPON_TEMPLATES, ...COIN_TEMPLATES];
/** Payments, which stand and fall with a locked coin. */
const PAYMENT_KINDS = AGENDA_KINDS.flatMap(({ template, coinOf }) =>
  coinOf === undefined ? [] : [{ template, coinOf }],
);
/** Contracts whose keys are equal by chance, or payments that share a coin. */
const SAME_KEY = 1000;

export interface AgendaOptions {
  /** The time that a request for a name may go without an answer. */
  readonly requestWaitMicroseconds?: bigint;
}

export class Agenda implements ReplicaConsumer {
  readonly name = "sv-agenda";
  readonly kinds = [...AGENDA_KINDS.map(({ template }) => template), ...OTHER_TEMPLATES];
  readonly derived = AGENDA_DERIVED;
  readonly checkedTables = AGENDA_CHECKED;
  readonly rows: AgendaRows;
  readonly rounds: AgendaRounds;
  readonly coupons: AgendaCoupons;
  readonly coins: AgendaCoins;
  readonly #state: SqliteState;
  readonly #requestWait: bigint;
  readonly #hash: Hash;
  readonly #columnContext: ColumnContext;
  readonly #listeners = new Set<AgendaListener>();
  /** Counts changes of the rules, so that readers can keep them meanwhile. */
  rulesVersion = 0;

  constructor(state: SqliteState, hash: Hash, options: AgendaOptions = {}) {
    this.#state = state;
    this.#hash = hash;
    this.#requestWait = checkedWait(options.requestWaitMicroseconds ?? REQUEST_WAIT);
    this.#columnContext = this.#makeColumnContext();
    const { database } = state;
    migrateDatabase(database, AGENDA_MIGRATIONS);
    this.rows = new AgendaRows(database);
    this.rounds = new AgendaRounds(database);
    this.coupons = new AgendaCoupons(state);
    this.coins = new AgendaCoins(database);
    inTransaction(database, () => this.#applyRequestWait());
  }

  /** The record time of the last entry: *now* to every decision. */
  get now(): Time {
    return this.#state.head.recordTime;
  }

  /** Null until the network is founded. */
  get dso(): PartyId | null {
    return this.#state.network?.dso ?? null;
  }

  /** Tells of changes during a replica's transaction, which may yet be undone. Returns how to stop listening. */
  listen(listener: AgendaListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  absorb({ created, archived, outcome }: ReplicaChange): void {
    const { dso } = this;
    if (dso === null) return;
    for (const contract of archived) this.#absorbArchived(contract);
    for (const each of created) {
      if (!each.signatories.includes(dso) && !isAsked(dso, each)) continue;
      if (outcome === null) this.#absorbBackfilled(each);
      else if (outcome.imported === null || !this.#isDead(each))
        this.#absorbCreated(each.contract, each.value, each.place);
    }
    if (outcome === null) this.save();
  }

  /** Writes the rows that have waited. */
  save(): void {
    this.rows.save();
    this.coins.save();
  }

  /** Writes some of them, until the time is over. */
  saveUntil(isOver: () => boolean): boolean {
    return this.coins.save(isOver);
  }

  reload(): void {
    this.rows.reload();
    this.coins.reload();
    this.rounds.reload();
    this.#changeRules();
  }

  findContext(reference: ContractId): FoundContext | null {
    for (const row of this.rows.listBy(AnsEntryContext, "referenceKey", contentKey(reference), SAME_KEY)) {
      const contract = this.#state.findContract(row.contractId);
      if (contract === undefined || !contract.payload.includes(reference)) continue;
      const payload = decodePayload(AnsEntryContext, contract);
      if (payload.reference === reference) return { cid: row.contractId, payload };
    }
    return null;
  }

  /** A contract that was on the ledger before its kind belonged to the agenda. */
  #absorbBackfilled({ contract, value, place }: CreatedContract): void {
    const { templateId, contractId } = contract;
    if (templateId === OpenMiningRound.id) {
      const round = value as PayloadOf<typeof OpenMiningRound>;
      this.rounds.insert(contractId, round);
      this.coins.forgetBeyondHorizon(round.round.number);
    } else if (isCoin(templateId)) {
      // The rounds come last: until they do the horizon is not known.
      this.coins.insert(contractId, coinOf(templateId, value), this.rounds.list().at(-1)?.number ?? null);
    } else if (!this.#isDead({ contract, value })) {
      this.#absorbCreated(contract, value, place);
    }
  }

  /** A payment whose coin is gone is dead. Coins come before payments in the state of an earlier log. */
  #isDead({ contract, value }: Pick<CreatedContract, "contract" | "value">): boolean {
    const coin = findKind(contract.templateId)?.coinOf?.(value as never);
    return coin !== undefined && this.#state.findContract(coin) === undefined;
  }

  /** Sets due times of requests anew if the configuration has changed. */
  #applyRequestWait(): void {
    const { database } = this.#state;
    const known = database.prepare("select microseconds from sv_request_wait").get()?.["microseconds"];
    if (known === this.#requestWait) return;
    this.rows.setDueAfterCreation(SubscriptionRequest, this.#requestWait);
    database.exec("delete from sv_request_wait");
    database.prepare("insert into sv_request_wait values (?)").run(this.#requestWait);
  }

  #absorbArchived({ templateId, contractId }: ArchivedContract): void {
    if (templateId === OpenMiningRound.id) {
      this.rounds.remove(contractId);
      this.#changeRules();
    } else if (isCoin(templateId)) {
      if (templateId === LockedAmulet.id) this.#absorbSpentCoin(contractId);
      this.#touchCoins(this.coins.remove(contractId));
    } else if (isCoupon(templateId)) {
      const round = this.coupons.remove(contractId);
      if (round !== null) this.#touch([{ kind: "past-round", key: round }]);
    } else {
      const kind = findKind(templateId);
      const row = kind === undefined ? null : this.rows.remove(contractId);
      if (kind === undefined || row === null) return;
      this.#touchGone(row);
      if (kind.isRule) this.#changeRules();
    }
  }

  /** A payment whose coin is gone is dead: no choice on it can succeed any more, whoever tries. */
  #absorbSpentCoin(coin: ContractId): void {
    for (const { template, coinOf: coinOfPayment } of PAYMENT_KINDS) {
      for (const row of this.rows.listBy(template, "coinKey", contractKey(coin), SAME_KEY)) {
        // A payment that is gone as well has its own turn.
        const payment = this.#state.findContract(row.contractId);
        if (payment === undefined || coinOfPayment(decodePayload(template, payment) as never) !== coin)
          continue;
        this.rows.remove(row.contractId);
        this.#touchGone(row);
      }
    }
  }

  #absorbCreated(contract: Contract, value: unknown, created: bigint): void {
    const { templateId, contractId } = contract;
    const kind = findKind(templateId);
    if (templateId === OpenMiningRound.id) {
      const round = value as PayloadOf<typeof OpenMiningRound>;
      this.rounds.insert(contractId, round);
      const isActive = (coin: ContractId) => this.#state.findContract(coin) !== undefined;
      if (this.dso !== null) this.coins.roundOpened(round.round.number, this.dso, isActive);
      this.#changeRules();
    } else if (isCoin(templateId)) {
      const latestRound = this.rounds.list().at(-1)?.number ?? 0n;
      this.#touchCoins(this.coins.insert(contractId, coinOf(templateId, value), latestRound));
    } else if (isCoupon(templateId)) {
      // Its round is open: there is nothing to decide yet.
      this.coupons.insert(created, contractId, templateId, value);
    } else if (kind !== undefined) {
      this.#insertRow(kind, contract, value, created);
      if (kind.isRule) this.#changeRules();
    }
  }

  #insertRow(kind: AgendaKind, contract: Contract, value: unknown, created: bigint): void {
    const { template, settles, coinOf: coinOfPayment } = kind;
    const columns = kind.columnsOf?.(value as never, this.#columnContext, contract) ?? {};
    const coinKey = coinOfPayment === undefined ? null : contractKey(coinOfPayment(value as never));
    const { ownerKey = null, due = null, pending = false } = columns;
    if (settles !== undefined && ownerKey !== null) this.rows.settle(settles, ownerKey);
    const row = this.rows.insert({ created, contract, template, coinKey, columns });
    const isDue = pending || due === null || due <= this.now;
    // The sweep finds a contract by itself once it is due.
    this.#touch(subjectsOf(row).filter((subject) => isDue || subject.kind !== "contract"));
  }

  #makeColumnContext(): ColumnContext {
    const state = this.#state;
    return {
      hash: this.#hash,
      requestWait: this.#requestWait,
      nameOfReference: (reference) => this.findContext(reference)?.payload.name ?? null,
      nameOfContext: (contextCid) => {
        const contract = state.findContract(contextCid);
        if (contract?.templateId !== AnsEntryContext.id) return null;
        return decodePayload(AnsEntryContext, contract).name;
      },
      numberOfRound: (roundCid) => {
        const row = this.rows.findContract(roundCid);
        const isRound = row?.template === SummarizingMiningRound || row?.template === ClosedMiningRound;
        return isRound ? row.round : null;
      },
      hasCounter: (key) => this.rows.listBy(TransferCommandCounter, "ownerKey", key, 1).length > 0,
      requiredVotes: () => {
        const [rules] = this.rows.list(DsoRules, 1);
        const contract = rules === undefined ? undefined : state.findContract(rules.contractId);
        if (contract === undefined) return 1;
        return requiredConfirmations(decodePayload(DsoRules, contract).svs.length);
      },
    };
  }

  /** Only rounds that were open for a while make coin expire: coin that lasts longer changes no decision yet. */
  #touchCoins(expiryRound: bigint | null): void {
    const latest = this.rounds.list().at(-1);
    if (expiryRound !== null && latest !== undefined && expiryRound <= latest.number) this.#touch([COINS]);
  }

  #touch(subjects: readonly Subject[]): void {
    for (const { subjectChanged } of this.#listeners) for (const subject of subjects) subjectChanged(subject);
  }

  #touchGone(row: AgendaRow): void {
    for (const subject of subjectsOf(row)) {
      if (subject.kind !== "contract") this.#touch([subject]);
      else for (const { subjectEnded } of this.#listeners) subjectEnded(subject);
    }
  }

  #changeRules(): void {
    this.rulesVersion++;
    this.#touch([ROUNDS]);
    for (const { rulesChanged } of this.#listeners) rulesChanged();
  }
}

function isAsked(dso: PartyId, { contract, value }: CreatedContract): boolean {
  return findKind(contract.templateId)?.askedDso?.(value as never) === dso;
}

function checkedWait(microseconds: bigint): bigint {
  if (microseconds >= 0n && microseconds <= LONGEST_REQUEST_WAIT) return microseconds;
  throw new Error(
    `requestWaitMicroseconds is ${microseconds}: it must be from 0 to ${LONGEST_REQUEST_WAIT}, which is 100 years`,
  );
}
