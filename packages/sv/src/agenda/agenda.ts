/**
 * What the SVs' automation needs to find of the DSO's contracts, kept by the replica in its own transaction: by name,
 * by reference, by action, and by the time at which they fall due. So work follows what changes and what is due, and
 * a hundred thousand names that nobody touches cost nothing. Contracts that the network's own DSO did not sign are
 * not here: anybody can write their like.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  AnsEntryContext,
  ClosedMiningRound,
  type Contract,
  type ContractId,
  DsoRules,
  decodeText,
  FeaturedAppActivityMarker,
  type Hash,
  LockedAmulet,
  OpenMiningRound,
  type Outcome,
  type PartyId,
  type PayloadOf,
  requiredConfirmations,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SummarizingMiningRound,
  type Time,
  TransferCommand,
  TransferCommandCounter,
} from "@callsign/ledger";
import { creationPlace, type ReplicaChange, type ReplicaConsumer } from "@callsign/synchronizer";
import { AgendaCoins, COIN_TEMPLATES, coinOf, isCoin } from "./agenda-coins.ts";
import { AgendaCoupons, COUPON_TEMPLATES, isCoupon } from "./agenda-coupons.ts";
import { AgendaPosition } from "./agenda-position.ts";
import { AgendaRounds } from "./agenda-rounds.ts";
import {
  AGENDA_TEMPLATES,
  contentKey,
  contractKey,
  FIRST_LACKING,
  RULES,
  templateNumber,
} from "./agenda-row.ts";
import { type AgendaRow, AgendaRows } from "./agenda-rows.ts";
import { completeAgenda, type OldVersion } from "./complete-agenda.ts";
import { applyRequestWait } from "./request-wait.ts";
import { type RowContext, rowContentOf } from "./row-content.ts";
import { COINS, ROUNDS, type Subject, subjectsOf } from "./subject.ts";

/** How contracts are found by id: the replica's state. */
export interface Contracts {
  findContract(contractId: ContractId): Contract | undefined;
}

/** What a reference stands for. */
export interface FoundContext {
  readonly cid: ContractId;
  readonly payload: PayloadOf<typeof AnsEntryContext>;
}

export interface AgendaListener {
  /** The subject has changed. */
  readonly touched: (subject: Subject) => void;
  /** Rules or rounds have changed: all that waits is worth another look. */
  readonly rulesChanged: () => void;
}

/** Who uses a coin, and which, by the payload. */
const COIN_USERS = [
  {
    template: SubscriptionInitialPayment,
    coinIn: (payload: string) => decodeText(SubscriptionInitialPayment.record, payload).lockedAmulet,
  },
  {
    template: SubscriptionPayment,
    coinIn: (payload: string) => decodeText(SubscriptionPayment.record, payload).lockedAmulet,
  },
] as const;
/** As many requests as a submission may have commands. */
const SAME_KEY = 1000;
const DAY = 24n * 3600n * 1_000_000n;
/** Unless an SV's configuration says otherwise. */
const REQUEST_WAIT = 30n * DAY;
const LONGEST_REQUEST_WAIT = 36_500n * DAY;
/** How old the oldest activity marker may get before those there are become coupons. */
const MARKER_WAIT = 30n * 1_000_000n;

export interface AgendaOptions {
  /** For how long a request for a name may go without an answer. */
  readonly requestWaitMicroseconds?: bigint;
}

export class Agenda implements ReplicaConsumer {
  readonly name = "sv-agenda";
  readonly kinds = [];
  readonly rows: AgendaRows;
  readonly rounds: AgendaRounds;
  readonly coupons: AgendaCoupons;
  readonly coins: AgendaCoins;
  readonly #requestWait: bigint;
  readonly #position: AgendaPosition;
  readonly #hash: Hash;
  readonly #listeners = new Set<AgendaListener>();
  /** Counts changes of the rules, so that what was read of them can be kept. */
  rulesVersion = 0;

  constructor(database: DatabaseSync, hash: Hash, options: AgendaOptions = {}) {
    this.#hash = hash;
    this.#requestWait = checkedWait(options.requestWaitMicroseconds ?? REQUEST_WAIT);
    this.rows = new AgendaRows(database);
    this.rounds = new AgendaRounds(database);
    this.coupons = new AgendaCoupons(database);
    this.coins = new AgendaCoins(database);
    this.#position = new AgendaPosition(database);
    this.#complete(database);
    applyRequestWait(database, this.#requestWait, this.#position.sequence);
  }

  get now(): Time {
    return this.#position.now;
  }

  get dso(): PartyId | null {
    return this.#position.dso;
  }

  /**
   * The next moment at which time alone makes something due: an entry or a subscription ends, a renewal is too late,
   * a confirmation lapses, a round is to close, the next may be made. Always later than now; null if there is none.
   */
  nextDue(): Time | null {
    const { now } = this.#position;
    const moments = [this.rows.findNextDue(now), this.rounds.findNextDue(), this.markersDue()];
    return moments.reduce<bigint | null>((first, moment) => {
      if (moment === null || moment <= now) return first;
      return first === null || moment < first ? moment : first;
    }, null) as Time | null;
  }

  /** When the activity markers there are have waited for long enough; null if there are none. */
  markersDue(): Time | null {
    const [oldest] = this.rows.listByKey(FeaturedAppActivityMarker, 0n, 1);
    return oldest === undefined || oldest.other === null ? null : ((oldest.other + MARKER_WAIT) as Time);
  }

  /** Is told of changes while they are taken in; what is told may yet be undone. Returns how to stop listening. */
  listen(listener: AgendaListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  absorb({ outcome }: ReplicaChange, state: Contracts): void {
    if (outcome === null) return;
    this.#position.absorb(outcome);
    const { dso } = this.#position;
    if (dso === null) return;
    for (const archived of outcome.archived) this.#absorbArchived(archived, state);
    const context = this.#rowContext(state);
    for (const { contract, value, nodeId, signatories } of outcome.created) {
      if (!signatories.includes(dso)) continue;
      this.#absorbCreated(contract, value, creationPlace(outcome.head.sequence, nodeId), context);
    }
  }

  reload(): void {
    this.#position.reload();
    this.rounds.reload();
    this.#changeRules();
  }

  findContext(contracts: Contracts, reference: ContractId): FoundContext | null {
    const rows = this.rows.listByOther(AnsEntryContext, contentKey(reference));
    const found = pickContext(contracts, reference, rows);
    if (found !== null) return found;
    // Rows of the first agendas have but the one key, which all contracts of a transaction share.
    return pickContext(
      contracts,
      reference,
      this.rows.listByKey(AnsEntryContext, contractKey(reference), SAME_KEY),
    );
  }

  #complete(database: DatabaseSync): void {
    const lackedBy = (version: OldVersion) => [
      ...AGENDA_TEMPLATES.slice(FIRST_LACKING[version]),
      ...COIN_TEMPLATES,
      ...(version === 1 ? COUPON_TEMPLATES : []),
    ];
    const templates = new Map(lackedBy(1).map((template) => [template.id, template]));
    const { sequence, dso } = this.#position;
    const context = this.#rowContext({ findContract: () => undefined });
    completeAgenda(database, {
      templateIds: (version) => lackedBy(version).map(({ id }) => id),
      sequence,
      insert: (contract, created) => {
        const value = templates.get(contract.templateId)?.record.decode(JSON.parse(contract.payload));
        // All of these are signed by the DSO that they name.
        if (dsoOf(value) === dso) this.#absorbCreated(contract, value, created, context);
      },
    });
  }

  #absorbArchived({ templateId, contractId }: Outcome["archived"][number], state: Contracts): void {
    if (templateId === OpenMiningRound.id) {
      this.rounds.remove(contractId);
      this.#changeRules();
    } else if (isCoin(templateId)) {
      if (templateId === LockedAmulet.id) this.#absorbSpentCoin(contractId, state);
      this.#touchCoins(this.coins.remove(contractId));
    } else if (isCoupon(templateId)) {
      const round = this.coupons.remove(contractId);
      if (round !== null) this.#touch([{ kind: "past-round", key: round }]);
    } else if (templateNumber(templateId) !== undefined) {
      const row = this.rows.remove(contractId);
      if (row === null) return;
      this.#touch(subjectsOf(row));
      if (RULES.has(templateId)) this.#changeRules();
    }
  }

  /** A payment whose coin is gone is dead: no choice on it can succeed any more, whoever tries. */
  #absorbSpentCoin(coin: ContractId, state: Contracts): void {
    for (const { template, coinIn } of COIN_USERS) {
      for (const row of this.rows.listByOther(template, contractKey(coin))) {
        // One that is gone as well has its own turn.
        const payment = state.findContract(row.contractId);
        if (payment === undefined || coinIn(payment.payload) !== coin) continue;
        this.rows.remove(row.contractId);
        this.#touch(subjectsOf(row));
      }
    }
  }

  #absorbCreated(contract: Contract, value: unknown, created: bigint, context: RowContext): void {
    const { templateId, contractId } = contract;
    if (templateId === OpenMiningRound.id) {
      const round = value as PayloadOf<typeof OpenMiningRound>;
      this.rounds.insert(contractId, round);
      if (this.dso !== null) this.coins.roundOpened(round.round.number, this.dso, context.isActive);
      this.#changeRules();
    } else if (isCoin(templateId)) {
      const latestRound = this.rounds.list().at(-1)?.number ?? 0n;
      this.#touchCoins(this.coins.insert(contractId, coinOf(templateId, value), latestRound));
    } else if (isCoupon(templateId)) {
      // Its round is open: nothing is to be done about it yet.
      this.coupons.insert(created, contractId, templateId, value);
    } else if (templateNumber(templateId) !== undefined) {
      const content = rowContentOf(contract, value, context);
      if (templateId === TransferCommandCounter.id) this.rows.settle(TransferCommand, content.key);
      this.#touch(subjectsOf(this.rows.insert(created, contractId, templateId, content)));
      if (RULES.has(templateId)) this.#changeRules();
    }
  }

  #rowContext(state: Contracts): RowContext {
    return {
      hash: this.#hash,
      isActive: (contractId) => state.findContract(contractId) !== undefined,
      requestWait: this.#requestWait,
      nameOfReference: (reference) => this.findContext(state, reference)?.payload.name ?? null,
      nameOfContext: (contextCid) => {
        const contract = state.findContract(contextCid);
        if (contract?.templateId !== AnsEntryContext.id) return null;
        return decodeText(AnsEntryContext.record, contract.payload).name;
      },
      numberOfRound: (roundCid) => {
        const row = this.rows.findContract(roundCid);
        const isRound = row?.template === SummarizingMiningRound || row?.template === ClosedMiningRound;
        return isRound ? row.key : null;
      },
      hasCounter: (key) => this.rows.listByKey(TransferCommandCounter, key, 1).length > 0,
      requiredVotes: () => {
        const [rules] = this.rows.listByKey(DsoRules, 0n, 1);
        const contract = rules === undefined ? undefined : state.findContract(rules.contractId);
        if (contract === undefined) return 1;
        return requiredConfirmations(decodeText(DsoRules.record, contract.payload).svs.length);
      },
    };
  }

  /** Only rounds that were open for a while make coin expire: what lasts longer is nobody's business yet. */
  #touchCoins(expiryRound: bigint | null): void {
    const latest = this.rounds.list().at(-1);
    if (expiryRound !== null && latest !== undefined && expiryRound <= latest.number) this.#touch([COINS]);
  }

  #touch(subjects: readonly Subject[]): void {
    for (const listener of this.#listeners) for (const subject of subjects) listener.touched(subject);
  }

  #changeRules(): void {
    this.rulesVersion++;
    this.#touch([ROUNDS]);
    for (const listener of this.#listeners) listener.rulesChanged();
  }
}

function pickContext(
  contracts: Contracts,
  reference: ContractId,
  rows: readonly AgendaRow[],
): FoundContext | null {
  for (const { contractId: cid } of rows) {
    const contract = contracts.findContract(cid);
    if (contract === undefined || !contract.payload.includes(reference)) continue;
    const payload = decodeText(AnsEntryContext.record, contract.payload);
    if (payload.reference === reference) return { cid, payload };
  }
  return null;
}

function checkedWait(microseconds: bigint): bigint {
  if (microseconds >= 0n && microseconds <= LONGEST_REQUEST_WAIT) return microseconds;
  throw new Error(
    `requestWaitMicroseconds is ${microseconds}: it must be from 0 to ${LONGEST_REQUEST_WAIT}, which is 100 years`,
  );
}

/** A locked coin names its DSO in the coin. */
function dsoOf(value: unknown): PartyId | undefined {
  const { dso, amulet } = value as { readonly dso?: PartyId; readonly amulet?: { readonly dso: PartyId } };
  return dso ?? amulet?.dso;
}
