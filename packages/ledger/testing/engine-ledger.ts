/** A ledger over the packages made for tests of the engine: its contracts are in memory, a test says the rest. */
import { type Command, createCommand, exerciseCommand } from "../src/engine/command.ts";
import { type Contract, formatBlob } from "../src/engine/contract.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../src/engine/declaration.ts";
import {
  createEngine,
  type DisclosedContract,
  type Engine,
  type InterpretationOutcome,
  type InterpretationRequest,
} from "../src/engine/interpret.ts";
import { listArchived, listCreated, type Transaction } from "../src/engine/transaction.ts";
import type { LedgerError } from "../src/errors/ledger-error.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { type Time, time } from "../src/values/time.ts";
import {
  Paper,
  type PaperTerms,
  paperPayload,
  type Run,
  runArgument,
  testCatalogue,
} from "./engine-fixture.ts";
import { sha256 } from "./sha256.ts";

export function createPaper(terms: PaperTerms): Command {
  return createCommand(Paper, paperPayload(terms));
}

export function runPaper(id: ContractId, what: Run): Command {
  return exerciseCommand(Paper, id, "Run", runArgument(what));
}

export function usePaper(id: ContractId, what: Run): Command {
  return exerciseCommand(Paper, id, "Use", runArgument(what));
}

export function archivePaper(id: ContractId): Command {
  return {
    tag: "Exercise",
    value: { templateId: Paper.id, contractId: id, choice: "Archive", argument: [] },
  };
}

/** The parts of a submission that a test chooses; everything else has a plain default. */
export type EngineSubmission = {
  readonly commands: readonly Command[];
  readonly actAs: readonly PartyId[];
} & Partial<Omit<InterpretationRequest, "commands" | "actAs" | "findContract">>;

/** The contracts of a test, and the engine over them. */
export class EngineLedger {
  now: Time = time("2026-01-01T00:00:00Z");
  readonly engine: Engine = createEngine({ catalogue: testCatalogue, hash: sha256 });
  readonly active = new Map<ContractId, Contract>();
  #seeds = 0;

  /** The engine's answer; the contracts stay as they are. Each submission has a seed of its own. */
  interpret(submission: EngineSubmission): InterpretationOutcome {
    return this.engine.interpret({
      readAs: [],
      disclosed: [],
      seed: sha256(`seed ${this.#seeds++}`),
      now: this.now,
      timeBounds: { earliest: null, latest: null },
      stage: "submission",
      findContract: (id) => this.active.get(id),
      ...submission,
    });
  }

  /** The transaction of a submission that must succeed; the contracts change with it. */
  submit(submission: EngineSubmission): {
    readonly transaction: Transaction;
    readonly results: readonly unknown[];
  } {
    const outcome = this.interpret(submission);
    if (outcome.kind === "failure") throw new Error(`${outcome.error.code}: ${outcome.error.cause}`);
    for (const { contract } of listCreated(outcome.transaction))
      this.active.set(contract.contractId, contract);
    for (const { contractId: id } of listArchived(outcome.transaction)) this.active.delete(id);
    return outcome;
  }

  /** The error of a submission that must fail. */
  refusal(submission: EngineSubmission): LedgerError {
    const outcome = this.interpret(submission);
    if (outcome.kind === "transaction") throw new Error("the submission was accepted");
    return outcome.error;
  }

  create<T extends AnyTemplateDeclaration>(
    template: T,
    payload: PayloadOf<T>,
    actAs: readonly PartyId[],
  ): ContractId {
    return this.submit({ commands: [createCommand(template, payload)], actAs }).results[0] as ContractId;
  }

  /** A paper, created by its signatories. */
  paper(terms: PaperTerms): ContractId {
    return this.create(Paper, paperPayload(terms), terms.signatories);
  }

  contract(id: ContractId): Contract {
    const contract = this.active.get(id);
    if (contract === undefined) throw new Error(`${id} is not active`);
    return contract;
  }

  /** The contract as a holder of its blob discloses it. */
  disclose(id: ContractId): DisclosedContract {
    return { contractId: id, blobHash: sha256(formatBlob(this.contract(id))) };
  }
}
