/** The SV app's index: onboarding secrets of the replica's SVs, and the DSO's contracts that their operators are shown. */
import type { DatabaseSync } from "node:sqlite";
import {
  AmuletPriceVote,
  type Contract,
  type ContractId,
  type PartyId,
  partyNamespace,
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
import {
  FORMER_ONBOARDING_ROWS,
  listOnboardingSvs,
  ONBOARDING_ROWS,
  ONBOARDING_SV,
  ONBOARDINGS_SCHEMA,
  OnboardingRows,
} from "./onboarding-rows.ts";

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
  migrations: [
    replaceFormerVersion,
    ONBOARDINGS_SCHEMA + DSO_CONTRACTS_SCHEMA,
    addSummedChecks([FORMER_ONBOARDING_ROWS, DSO_CONTRACTS]),
    ONBOARDING_SV,
  ],
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
  readonly contracts: DsoContractRows;
  readonly #state: SummedDatabase;
  readonly #sv: PartyId | null;
  readonly #onboardings = new Map<PartyId, OnboardingRows>();

  /** Keeps the secrets of this SV; of every SV of the network if null. */
  constructor(state: SummedDatabase, sv: PartyId | null) {
    const { database } = state;
    this.#state = state;
    this.#sv = sv;
    migrateDatabase(database, APP_MIGRATIONS);
    for (const known of sv === null ? listOnboardingSvs(database) : [sv]) this.onboardingsOf(known);
    this.contracts = new DsoContractRows(state);
  }

  /** Throws for another SV than the one whose secrets are kept. */
  onboardingsOf(sv: PartyId): OnboardingRows {
    if (this.#sv !== null && this.#sv !== sv)
      throw new Error(`the replica of ${this.#sv} keeps no onboarding secrets of ${sv}`);
    const rows = this.#onboardings.get(sv) ?? new OnboardingRows(this.#state, sv);
    this.#onboardings.set(sv, rows);
    return rows;
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
      } else {
        for (const party of signatories)
          if (this.#isKept(party, network)) this.#keep(party, contract, place, ended);
      }
    }
    // Last: what was used in the same transaction has not expired.
    for (const contractId of ended) for (const rows of this.#onboardings.values()) rows.end(contractId);
    for (const contract of archived) if (isOfDso(contract)) this.contracts.remove(contract.contractId);
  }

  /** Anybody may make secrets of their own. A party of an SV has the SV's namespace. */
  #isKept(party: PartyId, network: SqliteState["network"]): boolean {
    if (this.#sv !== null) return party === this.#sv;
    const ending = `::${partyNamespace(party)}`;
    return network?.svs.some((member) => member.endsWith(ending)) === true;
  }

  #keep(sv: PartyId, contract: Contract, place: bigint, ended: readonly ContractId[]): void {
    const rows = this.onboardingsOf(sv);
    if (contract.templateId === ValidatorOnboarding.id) rows.insert(contract, place);
    if (contract.templateId === UsedSecret.id) rows.use(contract, place, ended);
  }

  reload(): void {
    for (const rows of this.#onboardings.values()) rows.reload();
  }
}

function replaceFormerVersion(database: DatabaseSync): void {
  database.exec("create table if not exists sv_app (version integer)");
  const version = database.prepare("select version from sv_app").get()?.["version"];
  const kinds = version === FORMER_VERSION ? FORMER_KINDS.map(({ id }) => id) : [];
  recordKinds(database, NAME, kinds);
  database.exec("drop table sv_app");
}
