/**
 * Contracts of the network's DSO that the SV app shows: licenses, votes on the coin's price, vote requests, candidates. Each is found
 * by a key of its own, and listed in the order of creation.
 */
import {
  AmuletPriceVote,
  type Contract,
  type ContractId,
  type PayloadOf,
  SvOnboardingConfirmed,
  SvOnboardingRequest,
  ValidatorLicense,
  VoteRequest,
} from "@callsign/ledger";
import {
  type CheckedQuery,
  CheckedRows,
  type CheckedTable,
  type CreatedContract,
  type SummedDatabase,
} from "@callsign/synchronizer";

/** An index from before numbered migrations has this table already. */
export const DSO_CONTRACTS_SCHEMA = `
  create table if not exists sv_dso_contract (
    contract_id text primary key,
    entity text not null,
    created integer not null,
    key text not null
  ) strict, without rowid;
  create index if not exists sv_dso_contract_created on sv_dso_contract (entity, created);
  create index if not exists sv_dso_contract_key on sv_dso_contract (entity, key);
`;

/** The order of creation does not follow from a contract. */
export const DSO_CONTRACTS = {
  table: "sv_dso_contract",
  columns: ["contract_id", "entity", "created", "key"],
} as const satisfies CheckedTable;

export const DSO_TEMPLATES = [
  ...[ValidatorLicense, AmuletPriceVote, VoteRequest],
  ...[SvOnboardingRequest, SvOnboardingConfirmed],
] as const;
export type DsoTemplate = (typeof DSO_TEMPLATES)[number];

export class DsoContractRows {
  readonly #rows: CheckedRows;
  readonly #delete: ReturnType<CheckedRows["deletion"]>;
  readonly #find: CheckedQuery;
  readonly #list: CheckedQuery;

  constructor({ database, sums }: SummedDatabase) {
    this.#rows = new CheckedRows(database, DSO_CONTRACTS, sums);
    this.#delete = this.#rows.deletion("where contract_id = ?");
    this.#find = this.#rows.query("where entity = ? and key = ? order by created desc limit 1");
    this.#list = this.#rows.query("where entity = ? order by created desc limit +?");
  }

  /** Takes in a contract that the network's DSO signed. */
  insert({ contract, value, place }: CreatedContract): void {
    const template = DSO_TEMPLATES.find(({ id }) => id === contract.templateId);
    const { contractId } = contract;
    if (template === undefined || this.#rows.find(contractId) !== undefined) return;
    this.#rows.insert(contractId, template.entity, place, keyOf(template, value) ?? contractId);
  }

  remove(contractId: ContractId): void {
    this.#delete(contractId);
  }

  /** The newest with that key: a validator's, an SV's or a candidate's party, the first id of what is voted on. */
  find({ entity }: DsoTemplate, key: string): ContractId | undefined {
    return this.#find.all(entity, key).map(read)[0];
  }

  /** Newest first. */
  list({ entity }: DsoTemplate, limit: number): readonly ContractId[] {
    return this.#list.all(entity, limit).map(read);
  }
}

export function isOfDso({ templateId }: Pick<Contract, "templateId">): boolean {
  return DSO_TEMPLATES.some(({ id }) => id === templateId);
}

/** Null: its own id. */
function keyOf(template: DsoTemplate, value: unknown): string | null {
  if (template === ValidatorLicense) return (value as ValidatorLicense).validator;
  if (template === AmuletPriceVote) return (value as PayloadOf<typeof AmuletPriceVote>).sv;
  if (template === SvOnboardingRequest)
    return (value as PayloadOf<typeof SvOnboardingRequest>).candidateParty;
  if (template === SvOnboardingConfirmed) return (value as SvOnboardingConfirmed).svParty;
  return (value as VoteRequest).trackingCid;
}

function read(row: Record<string, unknown>): ContractId {
  return row["contract_id"] as ContractId;
}
