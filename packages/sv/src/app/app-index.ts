/** The SV app's index: the SV's onboarding secrets, and the DSO's contracts that its operator is shown. */
import type { DatabaseSync } from "node:sqlite";
import {
  AmuletPriceVote,
  type Contract,
  type ContractId,
  type PartyId,
  UsedSecret,
  ValidatorLicense,
  ValidatorOnboarding,
  VoteRequest,
} from "@callsign/ledger";
import { migrateDatabase, type StoreMigrations } from "@callsign/node";
import {
  addSummedChecks,
  type CheckedTable,
  type DerivedTable,
  type ReplicaChange,
  type ReplicaConsumer,
  recordKinds,
  type SqliteState,
  type SummedDatabase,
} from "@callsign/synchronizer";
import {
  DSO_CONTRACTS,
  DSO_CONTRACTS_SCHEMA,
  DSO_TEMPLATES,
  DsoContractRows,
  isOfDso,
} from "./dso-contract-rows.ts";
import { ONBOARDING_ROWS, ONBOARDINGS_SCHEMA, OnboardingRows } from "./onboarding-rows.ts";

const NAME = "sv-app";
const KINDS = [ValidatorOnboarding, UsedSecret, ...DSO_TEMPLATES] as const;
/** Of an index that recorded its version itself. */
const FORMER_VERSION = 2n;
const FORMER_KINDS = [
  ValidatorOnboarding,
  UsedSecret,
  ValidatorLicense,
  AmuletPriceVote,
  VoteRequest,
] as const;

/** The tables whose rows have checks. */
const CHECKED: readonly CheckedTable[] = [ONBOARDING_ROWS, DSO_CONTRACTS];

export const APP_MIGRATIONS: StoreMigrations<DatabaseSync> = {
  store: NAME,
  migrations: [replaceFormerVersion, ONBOARDINGS_SCHEMA + DSO_CONTRACTS_SCHEMA, addSummedChecks(CHECKED)],
};

const DERIVED: readonly DerivedTable[] = [
  // A secret that was used stands by the contract that it was made with, which is gone.
  {
    table: "sv_onboarding",
    key: ["contract_id"],
    columns: ["secret_hash", "party_hint", "made_at", "expires_at", "state"],
    optional: true,
    walk: { by: "created", only: "state = 'unused'" },
  },
  {
    table: "sv_dso_contract",
    key: ["contract_id"],
    columns: ["entity", "key"],
    walk: { by: "contract_id" },
  },
];

export class AppIndex implements ReplicaConsumer {
  readonly name = NAME;
  readonly kinds = KINDS;
  readonly derived = DERIVED;
  readonly checkedTables = CHECKED;
  readonly onboardings: OnboardingRows;
  readonly contracts: DsoContractRows;
  readonly #party: PartyId;

  constructor(state: SummedDatabase, party: PartyId) {
    const { database } = state;
    this.#party = party;
    migrateDatabase(database, APP_MIGRATIONS);
    this.onboardings = new OnboardingRows(state);
    this.contracts = new DsoContractRows(state);
  }

  absorb({ archived, created }: ReplicaChange, { network }: Pick<SqliteState, "network">): void {
    const ended = archived
      .filter(({ templateId }) => templateId === ValidatorOnboarding.id)
      .map(({ contractId }) => contractId);
    for (const each of created) {
      const { contract, place, signatories } = each;
      if (isOfDso(contract)) {
        // Anybody may make such contracts of a DSO of their own.
        if (network !== null && signatories.includes(network.dso)) this.contracts.insert(each);
      } else if (signatories.includes(this.#party)) {
        this.#keep(contract, place, ended);
      }
    }
    // Last: what was used in the same transaction has not expired.
    for (const contractId of ended) this.onboardings.end(contractId);
    for (const contract of archived) if (isOfDso(contract)) this.contracts.remove(contract.contractId);
  }

  #keep(contract: Contract, place: bigint, ended: readonly ContractId[]): void {
    if (contract.templateId === ValidatorOnboarding.id) this.onboardings.insert(contract, place);
    if (contract.templateId === UsedSecret.id) this.onboardings.use(contract, place, ended);
  }

  reload(): void {
    this.onboardings.reload();
  }
}

function replaceFormerVersion(database: DatabaseSync): void {
  database.exec("create table if not exists sv_app (version integer)");
  const version = database.prepare("select version from sv_app").get()?.["version"];
  const kinds = version === FORMER_VERSION ? FORMER_KINDS.map(({ id }) => id) : [];
  recordKinds(database, NAME, kinds);
  database.exec("drop table sv_app");
}
