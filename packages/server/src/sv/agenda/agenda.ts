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
  decodeText,
  type Hash,
  LockedAmulet,
  OpenMiningRound,
  type Outcome,
  type PartyId,
  type PayloadOf,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SummarizingMiningRound,
  type Time,
} from "@callsign/ledger";
import { creationNumber } from "../../scan/creation-number.ts";
import type { ReplicaHook } from "../../synchronizer/replica.ts";
import { AgendaCoupons, COUPON_TEMPLATES, isCoupon } from "./agenda-coupons.ts";
import { AgendaPosition } from "./agenda-position.ts";
import { AgendaRounds } from "./agenda-rounds.ts";
import {
  AGENDA_TEMPLATES,
  contractKey,
  FIRST_ADDED,
  type FindSubject,
  RULES,
  rowContentOf,
  templateNumber,
} from "./agenda-row.ts";
import { AgendaRows } from "./agenda-rows.ts";
import { completeAgenda } from "./complete-agenda.ts";
import { ROUNDS, type Subject, subjectsOf } from "./subject.ts";

/** How contracts are found by id: the replica's state. */
export interface Contracts {
  findContract(contractId: ContractId): Contract | undefined;
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
    coinOf: (payload: string) => decodeText(SubscriptionInitialPayment.record, payload).lockedAmulet,
  },
  {
    template: SubscriptionPayment,
    coinOf: (payload: string) => decodeText(SubscriptionPayment.record, payload).lockedAmulet,
  },
] as const;
/** A reference is the id of one request, which has one context; more than one row is a coincidence of keys. */
const SAME_KEY = 16;

export class Agenda implements ReplicaHook {
  readonly rows: AgendaRows;
  readonly rounds: AgendaRounds;
  readonly coupons: AgendaCoupons;
  readonly #position: AgendaPosition;
  readonly #hash: Hash;
  readonly #listeners = new Set<AgendaListener>();
  /** Counts changes of the rules, so that what was read of them can be kept. */
  rulesVersion = 0;

  constructor(database: DatabaseSync, hash: Hash) {
    this.#hash = hash;
    this.rows = new AgendaRows(database);
    this.rounds = new AgendaRounds(database);
    this.coupons = new AgendaCoupons(database);
    this.#position = new AgendaPosition(database);
    this.#complete(database);
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
    const row = this.rows.findNextDue(now);
    const round = this.rounds.findNextDue();
    if (round === null || round <= now) return row as Time | null;
    return (row === null || round < row ? round : row) as Time;
  }

  /** Is told of changes while they are taken in; what is told may yet be undone. Returns how to stop listening. */
  listen(listener: AgendaListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  absorb(outcome: Outcome, state: Contracts): void {
    this.#position.absorb(outcome);
    const { dso } = this.#position;
    if (dso === null) return;
    for (const archived of outcome.archived) this.#absorbArchived(archived, state);
    const find = this.#findSubject(state);
    for (const { contract, value, nodeId, signatories } of outcome.created) {
      if (!signatories.includes(dso)) continue;
      this.#absorbCreated(contract, value, creationNumber(outcome.head.sequence, nodeId), find);
    }
  }

  reload(): void {
    this.#position.reload();
    this.rounds.reload();
    this.#changeRules();
  }

  /** The name of the context with that reference. */
  findContext(
    contracts: Contracts,
    reference: ContractId,
  ): { readonly cid: ContractId; readonly payload: PayloadOf<typeof AnsEntryContext> } | null {
    for (const { contractId } of this.rows.listByKey(AnsEntryContext, contractKey(reference), SAME_KEY)) {
      const contract = contracts.findContract(contractId);
      if (contract === undefined) continue;
      const payload = decodeText(AnsEntryContext.record, contract.payload);
      if (payload.reference === reference) return { cid: contractId, payload };
    }
    return null;
  }

  #complete(database: DatabaseSync): void {
    const added = [...AGENDA_TEMPLATES.slice(FIRST_ADDED), ...COUPON_TEMPLATES];
    const { sequence, dso } = this.#position;
    const find = { ofReference: () => null, ofContext: () => null, ofRound: () => null };
    completeAgenda(database, {
      templateIds: added.map(({ id }) => id),
      sequence,
      insert: (contract, created) => {
        const template = added.find(({ id }) => id === contract.templateId);
        if (template === undefined) return;
        const value = template.record.decode(JSON.parse(contract.payload)) as { readonly dso?: PartyId };
        // All of these are signed by the DSO that they name.
        if (value.dso === dso) this.#absorbCreated(contract, value, created, find);
      },
    });
  }

  #absorbArchived({ templateId, contractId }: Outcome["archived"][number], state: Contracts): void {
    if (templateId === OpenMiningRound.id) {
      this.rounds.remove(contractId);
      this.#changeRules();
    } else if (templateId === LockedAmulet.id) {
      this.#absorbSpentCoin(contractId, state);
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
    for (const { template, coinOf } of COIN_USERS) {
      for (const row of this.rows.listByOther(template, contractKey(coin))) {
        // One that is gone as well has its own turn.
        const payment = state.findContract(row.contractId);
        if (payment === undefined || coinOf(payment.payload) !== coin) continue;
        this.rows.remove(row.contractId);
        this.#touch(subjectsOf(row));
      }
    }
  }

  #absorbCreated(contract: Contract, value: unknown, created: bigint, find: FindSubject): void {
    const { templateId, contractId } = contract;
    if (templateId === OpenMiningRound.id) {
      this.rounds.insert(contractId, value as PayloadOf<typeof OpenMiningRound>);
      this.#changeRules();
    } else if (isCoupon(templateId)) {
      // Its round is open: nothing is to be done about it yet.
      this.coupons.insert(created, contractId, templateId, value);
    } else if (templateNumber(templateId) !== undefined) {
      const content = rowContentOf(contract, value, this.#hash, find);
      this.#touch(subjectsOf(this.rows.insert(created, contractId, templateId, content)));
      if (RULES.has(templateId)) this.#changeRules();
    }
  }

  #findSubject(state: Contracts): FindSubject {
    return {
      ofReference: (reference) => this.findContext(state, reference)?.payload.name ?? null,
      ofContext: (contextCid) => {
        const contract = state.findContract(contextCid);
        if (contract?.templateId !== AnsEntryContext.id) return null;
        return decodeText(AnsEntryContext.record, contract.payload).name;
      },
      ofRound: (roundCid) => {
        const row = this.rows.findContract(roundCid);
        const isRound = row?.template === SummarizingMiningRound || row?.template === ClosedMiningRound;
        return isRound ? row.key : null;
      },
    };
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
