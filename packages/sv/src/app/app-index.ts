/**
 * What the SV app looks things up in, written by the replica in its own transactions. A database from before the app
 * gets what it lacks, once, from the replica's own contracts.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type Contract,
  type ContractId,
  type Outcome,
  type PartyId,
  type Time,
  UsedSecret,
  ValidatorOnboarding,
} from "@callsign/ledger";
import { inTransaction } from "@callsign/node";
import { creationNumber } from "@callsign/scan";
import { REPLICA_SCHEMA, type ReplicaHook, type SqliteState } from "@callsign/synchronizer";
import { DSO_TEMPLATES, DsoContractRows, decodeDsoContract, isOfDso } from "./dso-contract-rows.ts";
import { OnboardingRows } from "./onboarding-rows.ts";

const SCHEMA = `
  create table if not exists sv_app (one integer primary key check (one = 1), version integer not null) strict;
`;
const VERSION = 2n;

export class AppIndex implements ReplicaHook {
  readonly onboardings: OnboardingRows;
  readonly contracts: DsoContractRows;
  readonly #party: PartyId;

  constructor(database: DatabaseSync, party: PartyId) {
    this.#party = party;
    this.onboardings = new OnboardingRows(database);
    this.contracts = new DsoContractRows(database);
    this.#complete(database);
  }

  absorb({ archived, created, head }: Outcome, { network }: Pick<SqliteState, "network">): void {
    const ended = archived
      .filter(({ templateId }) => templateId === ValidatorOnboarding.id)
      .map(({ contractId }) => contractId);
    for (const { contract, nodeId, signatories } of created) {
      const place = creationNumber(head.sequence, nodeId);
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

  #complete(database: DatabaseSync): void {
    database.exec(REPLICA_SCHEMA + SCHEMA);
    if (database.prepare("select version from sv_app").get()?.["version"] === VERSION) return;
    inTransaction(database, () => {
      const contracts = listContracts(database);
      const dso = findDso(database);
      contracts.forEach((contract, place) => {
        const created = BigInt(place - contracts.length);
        if (isOnboarding(contract)) {
          if (svOf(contract) === this.#party) this.#keep(contract, created, []);
        } else if (decodeDsoContract(contract)?.dso === dso) {
          this.contracts.insert(contract, created);
        }
      });
      database.prepare("insert or replace into sv_app values (1, ?)").run(VERSION);
    });
  }
}

const TEMPLATES = [ValidatorOnboarding, UsedSecret, ...DSO_TEMPLATES] as const;

function isOnboarding({ templateId }: Contract): boolean {
  return templateId === ValidatorOnboarding.id || templateId === UsedSecret.id;
}

/** The SV signs what names it: nobody else signs these. */
function svOf({ templateId, payload }: Contract): PartyId {
  const { record } = templateId === UsedSecret.id ? UsedSecret : ValidatorOnboarding;
  return record.decode(JSON.parse(payload)).sv;
}

function findDso(database: DatabaseSync): unknown {
  const body = database.prepare("select body from network").get()?.["body"];
  return body === undefined ? undefined : (JSON.parse(body as string) as Record<string, unknown>)["dso"];
}

/** In the order of their creation. */
function listContracts(database: DatabaseSync): readonly Contract[] {
  const list = database.prepare(
    "select c.contract_id, c.payload, c.created_at from contract c join template t on t.id = c.template_id " +
      "where t.name = ?",
  );
  return TEMPLATES.flatMap(({ id }) =>
    list.all(id).map((row) => ({
      templateId: id,
      contractId: row["contract_id"] as ContractId,
      payload: row["payload"] as string,
      createdAt: row["created_at"] as Time,
    })),
  ).toSorted((a, b) => Number(a.createdAt - b.createdAt) || (a.contractId < b.contractId ? -1 : 1));
}
