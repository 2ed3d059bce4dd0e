/** The SV app's index: the SV's onboarding secrets, and the DSO's contracts that its operator is shown. */
import type { DatabaseSync } from "node:sqlite";
import {
  type Contract,
  type ContractId,
  type PartyId,
  UsedSecret,
  ValidatorOnboarding,
} from "@callsign/ledger";
import { migrateDatabase } from "@callsign/node";
import {
  type ReplicaChange,
  type ReplicaConsumer,
  recordKinds,
  type SqliteState,
} from "@callsign/synchronizer";
import { DSO_TEMPLATES, DsoContractRows, isOfDso } from "./dso-contract-rows.ts";
import { OnboardingRows } from "./onboarding-rows.ts";

const NAME = "sv-app";
const KINDS = [ValidatorOnboarding, UsedSecret, ...DSO_TEMPLATES] as const;
/** Of an index that recorded its version itself, and has all the kinds of today. */
const FORMER_VERSION = 2n;

export class AppIndex implements ReplicaConsumer {
  readonly name = NAME;
  readonly kinds = KINDS;
  readonly onboardings: OnboardingRows;
  readonly contracts: DsoContractRows;
  readonly #party: PartyId;

  constructor(database: DatabaseSync, party: PartyId) {
    this.#party = party;
    this.onboardings = new OnboardingRows(database);
    this.contracts = new DsoContractRows(database);
    migrateDatabase(database, { store: NAME, migrations: [replaceFormerVersion] });
  }

  absorb({ archived, created }: ReplicaChange, { network }: Pick<SqliteState, "network">): void {
    const ended = archived
      .filter(({ templateId }) => templateId === ValidatorOnboarding.id)
      .map(({ contractId }) => contractId);
    for (const { contract, place, signatories } of created) {
      if (isOfDso(contract)) {
        // Anybody may make such contracts of a DSO of their own.
        if (network !== null && signatories.includes(network.dso)) this.contracts.insert(contract, place);
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
  if (version === FORMER_VERSION)
    recordKinds(
      database,
      NAME,
      KINDS.map(({ id }) => id),
    );
  database.exec("drop table sv_app");
}
