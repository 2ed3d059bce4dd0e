/**
 * The engine over contracts in memory, for rule tables: any party may act, time is set by the test. It is the
 * real engine with the real contracts; only topology, deduplication and traffic are left out.
 */
import { networkCatalogue } from "../src/contracts/network-catalogue.ts";
import { decodeText } from "../src/daml/daml-type.ts";
import type { Catalogue } from "../src/engine/catalogue.ts";
import { type Command, createCommand, exerciseCommand } from "../src/engine/command.ts";
import { type Contract, formatBlob } from "../src/engine/contract.ts";
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceName,
  Declaration,
  PayloadOf,
  ResultOf,
} from "../src/engine/declaration.ts";
import { createEngine, type Engine, type InterpretationOutcome } from "../src/engine/interpret.ts";
import { listArchived, listCreated, type Transaction } from "../src/engine/transaction.ts";
import type { LedgerError } from "../src/errors/ledger-error.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { isPartyId, type PartyId } from "../src/values/party-id.ts";
import { addDuration, type Time, time } from "../src/values/time.ts";
import { sha256 } from "./sha256.ts";

export interface Submitting {
  readonly actAs: readonly PartyId[];
  readonly readAs?: readonly PartyId[];
  /** Contracts disclosed with the submission, by id; their blobs are looked up. */
  readonly disclose?: readonly ContractId[];
}

/** A rejected submission, for tests that expect `{ code, cause }`. */
export class Rejection extends Error {
  override readonly name = "Rejection";
  readonly error: LedgerError;

  constructor(error: LedgerError) {
    super(`${error.code}: ${error.cause}`);
    this.error = error;
  }
}

export class Sandbox {
  now: Time;
  lastTransaction: Transaction | null = null;
  readonly #engine: Engine;
  readonly #active = new Map<ContractId, Contract>();
  readonly #everCreated = new Map<ContractId, Contract>();
  #submissions = 0;

  constructor(options: { now?: Time; catalogue?: Catalogue } = {}) {
    this.now = options.now ?? time("2026-01-01T00:00:00Z");
    this.#engine = createEngine({ catalogue: options.catalogue ?? networkCatalogue, hash: sha256 });
  }

  advance(micros: bigint): void {
    this.now = addDuration(this.now, micros);
  }

  /** Runs the commands; on success the contracts change. */
  submit(
    commands: readonly Command[],
    { actAs, readAs = [], disclose = [] }: Submitting,
  ): InterpretationOutcome {
    const outcome = this.#engine.interpret({
      commands,
      actAs,
      readAs,
      disclosed: disclose.map((contractId) => ({ contractId, blobHash: sha256(this.blobOf(contractId)) })),
      seed: sha256(`sandbox ${this.#submissions++}`),
      now: this.now,
      timeBounds: { earliest: null, latest: null },
      findContract: (contractId) => this.#active.get(contractId),
      stage: "submission",
    });
    if (outcome.kind === "transaction") {
      this.lastTransaction = outcome.transaction;
      for (const { contract } of listCreated(outcome.transaction)) {
        this.#active.set(contract.contractId, contract);
        this.#everCreated.set(contract.contractId, contract);
      }
      for (const { contractId } of listArchived(outcome.transaction)) this.#active.delete(contractId);
    }
    return outcome;
  }

  create<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>, as: Submitting): ContractId {
    return this.#only(this.submit([createCommand(template, payload)], as)) as ContractId;
  }

  exercise<D extends Declaration, C extends ChoiceName<D>>(
    declaration: D,
    contractId: ContractId,
    choice: C,
    argument: ArgumentOf<D["choices"][C]>,
    as: Submitting,
  ): ResultOf<D["choices"][C]> {
    const command = exerciseCommand(declaration, contractId, choice, argument);
    return this.#only(this.submit([command], as)) as ResultOf<D["choices"][C]>;
  }

  active<T extends AnyTemplateDeclaration>(
    template: T,
  ): readonly { contractId: ContractId; payload: PayloadOf<T> }[] {
    return [...this.#active.values()]
      .filter((contract) => contract.templateId === template.id)
      .map(({ contractId, payload }) => ({
        contractId,
        payload: decodeText(template.record, payload) as PayloadOf<T>,
      }));
  }

  payloadOf<T extends AnyTemplateDeclaration>(template: T, contractId: ContractId): PayloadOf<T> {
    const found = this.active(template).find((contract) => contract.contractId === contractId);
    if (found === undefined) throw new Error(`no active ${template.entity} ${contractId}`);
    return found.payload;
  }

  isActive(contractId: ContractId): boolean {
    return this.#active.has(contractId);
  }

  blobOf(contractId: ContractId): string {
    const contract = this.#everCreated.get(contractId);
    if (contract === undefined) throw new Error(`contract ${contractId} was never created here`);
    return formatBlob(contract);
  }

  #only(outcome: InterpretationOutcome): unknown {
    if (outcome.kind === "failure") throw new Rejection(outcome.error);
    return outcome.results[0];
  }
}

/** A party with a made-up namespace: `testParty("alice")`. */
export function testParty(hint: string): PartyId {
  const party = `${hint}::1220${sha256(hint)}`;
  if (!isPartyId(party)) throw new Error(`${party} is not a party id`);
  return party;
}
