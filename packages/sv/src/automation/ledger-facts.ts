/**
 * What decisions are taken from: the DSO's rules, rounds and contracts as the replica has them at its head. *Now* is
 * the record time of the last applied entry; no clock is read.
 */
import {
  AmuletPriceVote,
  AmuletRules,
  AnsRules,
  type ContractId,
  DsoRules,
  ExternalPartyAmuletRules,
  type Hash,
  NameCare,
  type PartyId,
  type PayloadOf,
  type Time,
} from "@callsign/ledger";
import type { Agenda, Contracts } from "../agenda/agenda.ts";
import type { AgendaRound } from "../agenda/agenda-rounds.ts";
import type { AgendaTemplate } from "../agenda/agenda-row.ts";
import type { AgendaRow } from "../agenda/agenda-rows.ts";

export interface FoundContract<T extends AgendaTemplate> {
  readonly contractId: ContractId;
  readonly payload: PayloadOf<T>;
}

export interface Rules {
  readonly dso: PartyId;
  readonly dsoRules: FoundContract<typeof DsoRules>;
  readonly svs: readonly PartyId[];
  readonly amuletRulesCid: ContractId;
  /** Null on a network that has none. */
  readonly extAmuletRulesCid: ContractId | null;
  readonly ansRulesCid: ContractId;
  readonly nameCareCid: ContractId;
  /** The SVs' votes on the coin's price, in the order of the SVs. */
  readonly votes: readonly FoundContract<typeof AmuletPriceVote>[];
  /** Votes of SVs that have left. */
  readonly strayVotes: readonly ContractId[];
  /** By SV, all its votes where there are several. */
  readonly repeatedVotes: readonly (readonly ContractId[])[];
}

/** Who decides, and what from: all that a decision may depend on, so that every SV reaches the same. */
export interface Deciding {
  readonly facts: LedgerFacts;
  readonly rules: Rules;
  readonly sv: PartyId;
  readonly hash: Hash;
}

/** Rules are one contract each; a few votes an SV. */
const MAX_OF_RULES = 1000;

export class LedgerFacts {
  readonly agenda: Agenda;
  readonly contracts: Contracts;
  #rules: Rules | null = null;
  #rulesVersion = -1;

  constructor(agenda: Agenda, contracts: Contracts) {
    this.agenda = agenda;
    this.contracts = contracts;
  }

  get now(): Time {
    return this.agenda.now;
  }

  get rounds(): readonly AgendaRound[] {
    return this.agenda.rounds.list();
  }

  /** Null until the network is founded. */
  get rules(): Rules | null {
    if (this.#rulesVersion !== this.agenda.rulesVersion) {
      this.#rules = this.#readRules();
      this.#rulesVersion = this.agenda.rulesVersion;
    }
    return this.#rules;
  }

  /** The contracts with that key, in the order of the log. */
  list<T extends AgendaTemplate>(template: T, key: bigint, limit: number): readonly FoundContract<T>[] {
    return this.agenda.rows.listByKey(template, key, limit).flatMap((row) => this.read(template, row) ?? []);
  }

  read<T extends AgendaTemplate>(
    template: T,
    { contractId }: Pick<AgendaRow, "contractId">,
  ): FoundContract<T> | null {
    const contract = this.contracts.findContract(contractId);
    if (contract === undefined || contract.templateId !== template.id) return null;
    return { contractId, payload: template.record.decode(JSON.parse(contract.payload)) as PayloadOf<T> };
  }

  exists(contractId: ContractId): boolean {
    return this.contracts.findContract(contractId) !== undefined;
  }

  #readRules(): Rules | null {
    const { dso } = this.agenda;
    const latest = <T extends AgendaTemplate>(template: T) => this.list(template, 0n, MAX_OF_RULES).at(-1);
    const dsoRules = latest(DsoRules);
    const amuletRules = latest(AmuletRules);
    const ansRules = latest(AnsRules);
    const nameCare = latest(NameCare);
    if (dso === null || dsoRules === undefined || amuletRules === undefined) return null;
    if (ansRules === undefined || nameCare === undefined) return null;
    const svs = dsoRules.payload.svs.map(([sv]) => sv);
    const votes = this.list(AmuletPriceVote, 0n, MAX_OF_RULES);
    return {
      dso,
      dsoRules,
      svs,
      amuletRulesCid: amuletRules.contractId,
      extAmuletRulesCid: latest(ExternalPartyAmuletRules)?.contractId ?? null,
      ansRulesCid: ansRules.contractId,
      nameCareCid: nameCare.contractId,
      votes: svs.flatMap((sv) => votes.findLast(({ payload }) => payload.sv === sv) ?? []),
      strayVotes: votes
        .filter(({ payload }) => !svs.includes(payload.sv))
        .map(({ contractId }) => contractId),
      repeatedVotes: svs
        .map((sv) => votes.filter(({ payload }) => payload.sv === sv).map(({ contractId }) => contractId))
        .filter((cids) => cids.length > 1),
    };
  }
}
