/**
 * Commands in, transaction or error out. The same function runs before a submission is sent (on the
 * participant's own contracts and the disclosed ones) and when it is applied (on the replica's).
 */

import type { AnyDamlType } from "../daml/daml-type.ts";
import { DecodeError } from "../daml/decode-error.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { ArithmeticFailure } from "../values/arithmetic-failure.ts";
import type { ContractId } from "../values/contract-id.ts";
import { type Hash, multihash } from "../values/hash.ts";
import type { PartyId } from "../values/party-id.ts";
import { formatTime, type Time } from "../values/time.ts";
import type { Catalogue, Resolved } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { type Contract, formatBlob, isAuthentic, parseBlob } from "./contract.ts";
import { contractError, InterpretationFailure } from "./failure.ts";
import { Interpretation, instanceOf, needChoice } from "./interpretation.ts";
import { MAX_COMMANDS } from "./limits.ts";
import { DecodedContracts, isStakeholder, type LiveContract } from "./live-contract.ts";
import type { RunnableChoice, Template } from "./template.ts";
import type { Transaction } from "./transaction.ts";

export interface DisclosedContract {
  readonly contractId: ContractId;
  readonly blob: string;
}

export interface InterpretationRequest {
  readonly commands: readonly Command[];
  readonly actAs: readonly PartyId[];
  readonly readAs: readonly PartyId[];
  readonly disclosed: readonly DisclosedContract[];
  readonly seed: string;
  readonly now: Time;
  /** Ledger time must lie within; null leaves a side open. */
  readonly timeBounds: { readonly earliest: Time | null; readonly latest: Time | null };
  readonly findContract: (contractId: ContractId) => Contract | undefined;
  /**
   * Before submission a disclosed contract that is not stored here is trusted if its id fits its content.
   * At commit it has to be stored, and a contract that is gone was used up by somebody else meanwhile.
   */
  readonly stage: "submission" | "commit";
}

export type InterpretationOutcome =
  | { readonly kind: "transaction"; readonly transaction: Transaction; readonly results: readonly unknown[] }
  | { readonly kind: "failure"; readonly error: LedgerError };

export interface Engine {
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly interpret: (request: InterpretationRequest) => InterpretationOutcome;
}

export function createEngine({ catalogue, hash }: { catalogue: Catalogue; hash: Hash }): Engine {
  const decoded = new DecodedContracts(catalogue);
  const interpret = (request: InterpretationRequest): InterpretationOutcome => {
    try {
      checkRequest(request);
      const useContract = contractAccess({ request, decoded, hash });
      const { seed, now } = request;
      const interpretation = new Interpretation({ catalogue, hash, seed, now, useContract }, request.actAs);
      const results = request.commands.map((command) => run(catalogue, interpretation, command));
      const updateId = multihash(hash(`update\n${seed}`));
      return {
        kind: "transaction",
        transaction: { updateId, ledgerTime: now, nodes: interpretation.nodes },
        results,
      };
    } catch (error) {
      return { kind: "failure", error: asLedgerError(error) };
    }
  };
  return { catalogue, hash, interpret };
}

function checkRequest({ commands, now, timeBounds: { earliest, latest } }: InterpretationRequest): void {
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
}

/** A contract can be used if a submitting or reading party is its stakeholder, or if it was disclosed. */
function contractAccess(given: {
  request: InterpretationRequest;
  decoded: DecodedContracts;
  hash: Hash;
}): (contractId: ContractId) => LiveContract {
  const { request, decoded, hash } = given;
  const { actAs, readAs, stage } = request;
  const disclosed = new Map(request.disclosed.map((contract) => [contract.contractId, contract.blob]));
  return (contractId) => {
    const blob = disclosed.get(contractId);
    const stored =
      request.findContract(contractId) ??
      (stage === "submission" ? handedOver(hash, contractId, blob) : undefined);
    if (stored === undefined) return missing(contractId, stage);
    if (blob !== undefined && formatBlob(stored) !== blob) return conflicting(contractId);
    const live = decoded.decode(stored);
    const sees = (party: PartyId) => isStakeholder(live, party);
    return blob !== undefined || actAs.some(sees) || readAs.some(sees) ? live : missing(contractId, stage);
  };
}

function handedOver(hash: Hash, contractId: ContractId, blob: string | undefined): Contract | undefined {
  if (blob === undefined) return undefined;
  const contract = parseBlob(blob);
  const genuine =
    contract.ok && contract.value.contractId === contractId && isAuthentic(hash, contract.value);
  return genuine ? contract.value : conflicting(contractId);
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
      `The disclosed contract ${contractId} does not match its blob`,
      {
        resources: [["CONTRACT_ID", contractId]],
      },
    ),
  );
}

function run(catalogue: Catalogue, interpretation: Interpretation, command: Command): unknown {
  const resolved = catalogue.resolve(command.templateId);
  switch (command.kind) {
    case "create": {
      const template = needTemplate(resolved, command.templateId);
      return interpretation.createFrom(
        template,
        decodeAs(template.payload, command.payload, "createArguments"),
      );
    }
    case "exercise": {
      const live = interpretation.useFor(command.contractId);
      const [choice, interfaceId] = choiceFor(resolved, command, live);
      return interpretation.exerciseOn(
        live,
        choice,
        decodeAs(choice.argument, command.argument, "choiceArgument"),
        interfaceId,
      );
    }
    case "create-and-exercise": {
      const template = needTemplate(resolved, command.templateId);
      const choice = needChoice(template.choices, command.choice, command.templateId);
      const payload = decodeAs(template.payload, command.payload, "createArguments");
      const argument = decodeAs(choice.argument, command.argument, "choiceArgument");
      const live = interpretation.useFor(interpretation.createFrom(template, payload));
      return interpretation.exerciseOn(live, choice, argument, null);
    }
  }
}

function choiceFor(
  resolved: Resolved,
  { templateId, choice, contractId }: Extract<Command, { kind: "exercise" }>,
  live: LiveContract,
): readonly [RunnableChoice, string | null] {
  if (resolved.kind === "interface") {
    const instance = instanceOf(resolved.interface, live);
    return [needChoice(instance.choices, choice, templateId), resolved.interface.id];
  }
  const template = needTemplate(resolved, templateId);
  if (template !== live.template) {
    const actual = live.contract.templateId;
    throw new InterpretationFailure(
      ledgerError(
        "WRONGLY_TYPED_CONTRACT",
        `Contract ${contractId} is a ${actual}, not a ${template.declaration.id}`,
      ),
    );
  }
  return [needChoice(template.choices, choice, templateId), null];
}

function needTemplate(resolved: Resolved, ref: string): Template {
  if (resolved.kind === "template") return resolved.template;
  if (resolved.kind === "interface") {
    throw new InterpretationFailure(
      ledgerError("INVALID_ARGUMENT", `${ref} is an interface; a template is needed here`),
    );
  }
  switch (resolved.reason) {
    case "malformed":
      throw new InterpretationFailure(
        ledgerError(
          "INVALID_ARGUMENT",
          `Invalid identifier format (${ref}) not matching the expected format (<package>:<moduleName>:<entityName>)`,
        ),
      );
    case "package-name":
      throw new InterpretationFailure(
        ledgerError("UNRESOLVED_PACKAGE_NAME", `No package of that name is known: ${ref}`),
      );
    case "package":
      throw new InterpretationFailure(
        ledgerError("PACKAGE_NOT_FOUND", `No package of that id is known: ${ref}`),
      );
    case "entity":
      throw new InterpretationFailure(
        ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", `The package has no template or interface ${ref}`, {
          resources: [["TEMPLATE_ID", ref]],
        }),
      );
  }
}

function decodeAs(type: AnyDamlType, data: unknown, what: string): unknown {
  try {
    return type.decode(data);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const path = error.path === "" ? what : `${what}.${error.path}`;
    const code = error.problem === "malformed-text" ? "MALFORMED_TEXT" : "COMMAND_PREPROCESSING_FAILED";
    throw new InterpretationFailure(ledgerError(code, `${error.reason} at '${path}'`), { cause: error });
  }
}

/** A bug in contract code must stop the replica, not pass for a rejection: anything else is thrown on. */
function asLedgerError(error: unknown): LedgerError {
  if (error instanceof InterpretationFailure) return error.error;
  if (error instanceof ArithmeticFailure) {
    return contractError("UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError", error.message);
  }
  throw error;
}
