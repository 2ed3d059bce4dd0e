/**
 * The facts of decisions: the DSO's rules, rounds and contracts as the replica has them at its head. *Now* is the record
 * time of the last applied entry; no clock is read.
 */
import {
  AmuletPriceVote,
  AmuletRules,
  AnsRules,
  type AnyTemplateDeclaration,
  type Contract,
  type ContractId,
  DsoRules,
  ExternalPartyAmuletRules,
  NameCare,
  type PartyId,
  type PayloadOf,
  type SvSet,
  type Time,
} from "@callsign/ledger";
import type { Agenda, FoundContext } from "../agenda/agenda.ts";
import type { AgendaRound } from "../agenda/agenda-rounds.ts";
import type { AgendaRow, KeyColumn } from "../kinds/agenda-kind.ts";
import { decodePayload } from "../kinds/decode-payload.ts";
import { MANY } from "../limits/limits.ts";

export interface FoundContract<T extends AnyTemplateDeclaration> {
  readonly contractId: ContractId;
  readonly payload: PayloadOf<T>;
}

/** The DSO's rules and the votes on the coin's price. */
export interface DsoRulesFacts {
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

/** Finds contracts by id: the replica's state. */
export interface Contracts {
  readonly findContract: (contractId: ContractId) => Contract | undefined;
}

/** Onboarding secrets of this SV that nobody has used. */
export interface UnusedSecrets {
  /** Secrets whose time is over, the longest expired first. */
  readonly listExpired: (now: Time, limit: number) => readonly { readonly contractId: ContractId }[];
  /** The first moment after that one at which a secret expires; null if there is none. */
  readonly nextExpiry: (after: Time) => Time | null;
}

/** Changed sets of SVs. */
export interface SvSets {
  /** Those of the last few that this SV is to attest. */
  readonly listUnattested: () => readonly SvSet[];
}

export class LedgerFacts {
  readonly agenda: Agenda;
  readonly contracts: Contracts;
  readonly secrets: UnusedSecrets;
  readonly svSets: SvSets;
  #rules: DsoRulesFacts | null = null;
  #rulesVersion = -1;

  constructor(
    agenda: Agenda,
    contracts: Contracts,
    { secrets, svSets }: { readonly secrets: UnusedSecrets; readonly svSets: SvSets },
  ) {
    this.agenda = agenda;
    this.contracts = contracts;
    this.secrets = secrets;
    this.svSets = svSets;
  }

  get now(): Time {
    return this.agenda.now;
  }

  get rounds(): readonly AgendaRound[] {
    return this.agenda.rounds.list();
  }

  /** Null until the network is founded. */
  get rules(): DsoRulesFacts | null {
    if (this.#rulesVersion !== this.agenda.rulesVersion) {
      this.#rules = this.#readRules();
      this.#rulesVersion = this.agenda.rulesVersion;
    }
    return this.#rules;
  }

  /** The contracts of a template, in the order of the log. */
  list<T extends AnyTemplateDeclaration>(template: T, limit: number): readonly FoundContract<T>[] {
    return this.agenda.rows.list(template, limit).flatMap((row) => this.read(template, row) ?? []);
  }

  /** The contracts with that key, in the order of the log. */
  listBy<T extends AnyTemplateDeclaration>(
    template: T,
    column: KeyColumn,
    key: bigint,
    limit: number,
  ): readonly FoundContract<T>[] {
    const rows = this.agenda.rows.listBy(template, column, key, limit);
    return rows.flatMap((row) => this.read(template, row) ?? []);
  }

  read<T extends AnyTemplateDeclaration>(
    template: T,
    { contractId }: Pick<AgendaRow, "contractId">,
  ): FoundContract<T> | null {
    const contract = this.contracts.findContract(contractId);
    if (contract === undefined || contract.templateId !== template.id) return null;
    return { contractId, payload: decodePayload(template, contract) };
  }

  /** The row of a subject that is one contract, if it is of that template. */
  findRow(template: AnyTemplateDeclaration, created: bigint): AgendaRow | null {
    const row = this.agenda.rows.find(created);
    return row?.template === template ? row : null;
  }

  findContext(reference: ContractId): FoundContext | null {
    return this.agenda.findContext(reference);
  }

  exists(contractId: ContractId): boolean {
    return this.contracts.findContract(contractId) !== undefined;
  }

  #readRules(): DsoRulesFacts | null {
    const { dso } = this.agenda;
    const latest = <T extends AnyTemplateDeclaration>(template: T) => this.list(template, MANY).at(-1);
    const dsoRules = latest(DsoRules);
    const amuletRules = latest(AmuletRules);
    const ansRules = latest(AnsRules);
    const nameCare = latest(NameCare);
    if (dso === null || dsoRules === undefined || amuletRules === undefined) return null;
    if (ansRules === undefined || nameCare === undefined) return null;
    const svs = dsoRules.payload.svs.map(([sv]) => sv);
    const votes = this.list(AmuletPriceVote, MANY);
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
