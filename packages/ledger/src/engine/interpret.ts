/**
 * Commands in, transaction or error out. The same function runs before a submission is sent (on the
 * participant's own contracts and the disclosed ones) and when it is applied (on the replica's).
 */

import { DecodeError } from "../daml/decode-error.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { ArithmeticFailure } from "../values/arithmetic-failure.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { Hash } from "../values/hash.ts";
import type { PartyId } from "../values/party-id.ts";
import { formatTime, type Time } from "../values/time.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Command } from "./command.ts";
import type { Contract } from "./contract.ts";
import { contractError, InterpretationFailure } from "./failure.ts";
import { Interpretation } from "./interpretation.ts";
import { MAX_COMMANDS, MAX_DISCLOSED_CONTRACTS } from "./limits.ts";
import { DecodedContracts, isStakeholder, type LiveContract } from "./live-contract.ts";
import { prepareCommand } from "./prepare-command.ts";
import type { Transaction } from "./transaction.ts";

/**
 * A contract that the submitter was handed. Its id and the hash of its blob show that the submitter knows it;
 * the content itself need not travel with every submission.
 */
export interface DisclosedContract {
  readonly contractId: ContractId;
  readonly blobHash: string;
}

export interface InterpretationRequest {
  readonly commands: readonly Command[];
  readonly actAs: readonly PartyId[];
  readonly readAs: readonly PartyId[];
  readonly disclosed: readonly DisclosedContract[];
  readonly seed: string;
  readonly now: Time;
  /** The version in force: packages of later versions are unknown. All packages are known if omitted. */
  readonly protocolVersion?: bigint;
  /** Ledger time must lie within; null leaves a side open. */
  readonly timeBounds: { readonly earliest: Time | null; readonly latest: Time | null };
  /** Before submission: stored or disclosed contracts, as far as genuine. At commit: the active ones. */
  readonly findContract: (contractId: ContractId) => Contract | undefined;
  /** A contract that is missing at commit was archived in the meantime. */
  readonly stage: "submission" | "commit";
}

export type InterpretationOutcome =
  | { readonly kind: "transaction"; readonly transaction: Transaction; readonly results: readonly unknown[] }
  | { readonly kind: "failure"; readonly error: LedgerError; readonly defect: Error | null };

export interface Engine {
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly interpret: (request: InterpretationRequest) => InterpretationOutcome;
  /** Runs a program of ours on a ledger without contracts: how a network is founded. */
  readonly perform: (
    setting: { readonly seed: string; readonly now: Time; readonly actAs: readonly PartyId[] },
    program: (interpretation: Interpretation) => unknown,
  ) => InterpretationOutcome;
}

export function createEngine({ catalogue, hash }: { catalogue: Catalogue; hash: Hash }): Engine {
  const decoded = new DecodedContracts(catalogue, hash);
  const perform: Engine["perform"] = ({ seed, now, actAs }, program) => {
    const interpretation = new Interpretation({ catalogue, hash, seed, now, useContract: unseen }, actAs);
    return attempt(interpretation, () => [program(interpretation)]);
  };
  const interpret: Engine["interpret"] = (request) => {
    const { seed, now, protocolVersion } = request;
    const useContract = contractAccess(request, decoded);
    const active = protocolVersion === undefined ? catalogue : catalogue.at(protocolVersion);
    const setting = { catalogue: active, hash, seed, now, useContract };
    const interpretation = new Interpretation(setting, request.actAs);
    return attempt(interpretation, () => {
      checkRequest(request);
      const prepared = request.commands.map((command) => prepareCommand(active, command));
      return prepared.map((run) => run(interpretation));
    });
  };
  return { catalogue, hash, interpret, perform };
}

function attempt(interpretation: Interpretation, body: () => readonly unknown[]): InterpretationOutcome {
  try {
    const results = body();
    return { kind: "transaction", transaction: interpretation.finish(), results };
  } catch (error) {
    return asFailure(error);
  }
}

function unseen(contractId: ContractId): never {
  return missing(contractId, "commit");
}

function checkRequest(request: InterpretationRequest): void {
  const { commands, disclosed, now } = request;
  const { earliest, latest } = request.timeBounds;
  if (commands.length === 0 || commands.length > MAX_COMMANDS) {
    throw new InterpretationFailure(
      ledgerError(
        "INVALID_ARGUMENT",
        `A submission has 1 to ${MAX_COMMANDS} commands, not ${commands.length}`,
      ),
    );
  }
  if ((earliest !== null && now < earliest) || (latest !== null && now > latest)) {
    const side = (bound: Time | null) => (bound === null ? "open" : formatTime(bound));
    throw new InterpretationFailure(
      ledgerError(
        "LEDGER_TIME_OUTSIDE_BOUNDS",
        `Ledger time ${formatTime(now)} lies outside the submission's bounds ${side(earliest)} to ${side(latest)}`,
      ),
    );
  }
  if (disclosed.length > MAX_DISCLOSED_CONTRACTS) {
    const cause = `A submission discloses at most ${MAX_DISCLOSED_CONTRACTS} contracts, not ${disclosed.length}`;
    throw new InterpretationFailure(ledgerError("INVALID_ARGUMENT", cause));
  }
  const blobHashes = new Map<ContractId, string>();
  for (const { contractId, blobHash } of disclosed) {
    if ((blobHashes.get(contractId) ?? blobHash) !== blobHash) conflicting(contractId);
    blobHashes.set(contractId, blobHash);
  }
}

/**
 * A contract can be used if a submitting or reading party is its stakeholder, or if it was disclosed. To a submitter
 * that does not see it, a contract with a wrong blob looks like a missing one; a stakeholder that discloses it must
 * have its blob right.
 */
function contractAccess(
  request: InterpretationRequest,
  decoded: DecodedContracts,
): (contractId: ContractId) => LiveContract {
  const { actAs, readAs, stage } = request;
  return (contractId) => {
    const contract = request.findContract(contractId);
    if (contract === undefined) return missing(contractId, stage);
    const live = decodeGiven(decoded, contract, stage);
    const isOurs = (party: PartyId) => isStakeholder(live, party);
    const seen = actAs.some(isOurs) || readAs.some(isOurs);
    const disclosed = request.disclosed.find((given) => given.contractId === contractId);
    if (disclosed === undefined) return seen ? live : missing(contractId, stage);
    if (disclosed.blobHash === decoded.blobHash(contract)) return live;
    return seen ? conflicting(contractId) : missing(contractId, stage);
  };
}

/** Anybody can write a blob whose id fits: before submission a contract that makes no sense is the sender's. */
function decodeGiven(
  decoded: DecodedContracts,
  contract: Contract,
  stage: InterpretationRequest["stage"],
): LiveContract {
  try {
    return decoded.decode(contract);
  } catch (error) {
    if (stage === "commit" || !(error instanceof DecodeError)) throw error;
    const cause = `The contract ${contract.contractId} cannot be read: ${error.message}`;
    throw new InterpretationFailure(ledgerError("INVALID_ARGUMENT", cause), { cause: error });
  }
}

function missing(contractId: ContractId, stage: InterpretationRequest["stage"]): never {
  const resources = [["CONTRACT_ID", contractId]] as const;
  throw new InterpretationFailure(
    stage === "submission"
      ? ledgerError("CONTRACT_NOT_FOUND", `Contract could not be found with id ${contractId}`, { resources })
      : ledgerError("LOCAL_VERDICT_INACTIVE_CONTRACTS", `Rejected: contract ${contractId} is not active`, {
          resources,
        }),
  );
}

function conflicting(contractId: ContractId): never {
  throw new InterpretationFailure(
    ledgerError(
      "DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS",
      `The disclosed contract ${contractId} is not the one its blob shows`,
      { resources: [["CONTRACT_ID", contractId]] },
    ),
  );
}

/**
 * A defect of ours in contract code rejects the submission, on every replica alike, and stops no replica; it is
 * returned for logging. Only failures that depend on the machine (memory, stack) are thrown.
 */
function asFailure(error: unknown): InterpretationOutcome {
  if (error instanceof InterpretationFailure) return { kind: "failure", error: error.error, defect: null };
  if (error instanceof ArithmeticFailure || isDivisionByZero(error)) {
    const errorId = "UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError";
    return { kind: "failure", error: contractError(errorId, error.message), defect: null };
  }
  if (error instanceof RangeError || !(error instanceof Error)) throw error;
  const internal = ledgerError("SERVICE_INTERNAL_ERROR", "The ledger could not run this submission");
  return { kind: "failure", error: internal, defect: error };
}

/** A bigint divided by zero throws a RangeError too, but the same on every machine. */
function isDivisionByZero(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Division by zero";
}
