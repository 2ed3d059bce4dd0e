/**
 * One interpretation: the state of a transaction while its commands run. It keeps who may be acted for,
 * which contracts were created and consumed, and the nodes so far. Daml's rules stand here:
 * a create needs its signatories, an exercise its controllers, what follows from an exercise runs with the
 * contract's signatories and the choice's controllers, a fetch needs a stakeholder.
 */
import type { AnyDamlType } from "../daml/daml-type.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { ContractId } from "../values/contract-id.ts";
import { type Hash, multihash } from "../values/hash.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import type { Catalogue } from "./catalogue.ts";
import { contractIdOf } from "./contract.ts";
import type { AnyInterfaceDeclaration, AnyTemplateDeclaration } from "./declaration.ts";
import { fail, InterpretationFailure } from "./failure.ts";
import {
  MAX_PAYLOAD_CHARACTERS,
  MAX_SHOWN_CHARACTERS,
  MAX_TRANSACTION_CHARACTERS,
  MAX_TRANSACTION_DEPTH,
  MAX_TRANSACTION_NODES,
} from "./limits.ts";
import { distinct, isStakeholder, type LiveContract, stakeholdersOf } from "./live-contract.ts";
import type { RunnableChoice, Template } from "./template.ts";
import type { ExerciseNode, Transaction, TransactionNode, TypedValue } from "./transaction.ts";
import type { Update } from "./update.ts";

export interface InterpretationSetting {
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  /** Hash of the submission: contract ids derive from it and from the place in the tree. */
  readonly seed: string;
  readonly now: Time;
  /** An active contract that the submitter may use, decoded; throws the failure if there is none. */
  readonly useContract: (contractId: ContractId) => LiveContract;
}

export class Interpretation implements Update {
  readonly now: Time;
  readonly nodes: TransactionNode[] = [];
  readonly #setting: InterpretationSetting;
  readonly #created = new Map<ContractId, LiveContract>();
  readonly #inputs = new Map<ContractId, LiveContract>();
  readonly #consumed = new Set<ContractId>();
  readonly #transactionHash: string;
  #authority: readonly PartyId[];
  #depth = 0;
  #characters = 0;

  constructor(setting: InterpretationSetting, actAs: readonly PartyId[]) {
    this.#setting = setting;
    this.#transactionHash = setting.hash(`transaction\n${setting.seed}`);
    this.#authority = actAs;
    this.now = setting.now;
  }

  create(declaration: AnyTemplateDeclaration, payload: unknown): ContractId {
    return this.createFrom(this.#templateOf(declaration), payload);
  }

  createFrom(template: Template, value: unknown): ContractId {
    const templateId = template.declaration.id;
    if (!template.ensure(value)) {
      fail(
        "UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed",
        `Template precondition violated: ${template.payload.show(value).slice(0, MAX_SHOWN_CHARACTERS)}`,
      );
    }
    const { signatories, observers } = stakeholdersOf(template, value);
    this.#needAuthority(signatories, () => `create of ${templateId}`);
    const payload = this.#measured(template.payload.encode(value));
    if (payload.length > MAX_PAYLOAD_CHARACTERS) {
      stop(
        "DAML_INTERPRETATION_ERROR",
        `A payload of ${templateId} exceeds ${MAX_PAYLOAD_CHARACTERS} characters`,
      );
    }
    const nodeId = this.#nextNodeId();
    const content = { templateId, payload, createdAt: this.now };
    const contractId = contractIdOf(this.#setting.hash, this.#discriminatorOf(nodeId), content);
    const contract = { contractId, ...content };
    this.nodes.push({ kind: "create", nodeId, contract, value, signatories, observers });
    this.#created.set(contractId, { contract, template, value, signatories, observers });
    return contractId;
  }

  // The public signatures are typed by Update; inside, types are erased.
  // biome-ignore lint/suspicious/noExplicitAny: the value's type follows from the declaration handed in.
  fetch(declaration: AnyTemplateDeclaration, contractId: ContractId): any {
    const live = this.#use(contractId);
    this.#versionOf(declaration, live);
    this.#needStakeholder(live);
    return live.value;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the view's type follows from the declaration handed in.
  fetchView(declaration: AnyInterfaceDeclaration, contractId: ContractId): any {
    const live = this.#use(contractId);
    const instance = instanceOf(declaration, live);
    this.#needStakeholder(live);
    return instance.view(live.value);
  }

  exercise(
    declaration: AnyTemplateDeclaration,
    contractId: ContractId,
    choiceName: string,
    argument: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: the result's type follows from the declaration handed in.
  ): any {
    const live = this.#use(contractId);
    const template = this.#versionOf(declaration, live);
    const choice = needChoice(template.choices, choiceName, declaration.id);
    return this.#exerciseOn(live, choice, argument, { templateId: declaration.id, interfaceId: null });
  }

  exerciseInterface(
    declaration: AnyInterfaceDeclaration,
    contractId: ContractId,
    choiceName: string,
    argument: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: the result's type follows from the declaration handed in.
  ): any {
    const live = this.#use(contractId);
    const choice = needChoice(instanceOf(declaration, live).choices, choiceName, declaration.id);
    const { templateId } = live.contract;
    return this.#exerciseOn(live, choice, argument, { templateId, interfaceId: declaration.id });
  }

  archive(declaration: AnyTemplateDeclaration, contractId: ContractId): void {
    this.exercise(declaration, contractId, "Archive", {});
  }

  /** Runs a choice with the authority it brings, and restores the caller's authority afterwards. */
  #exerciseOn(
    live: LiveContract,
    choice: RunnableChoice,
    argument: unknown,
    through: Pick<ExerciseNode, "templateId" | "interfaceId">,
  ): unknown {
    const { contract, value, signatories, observers } = live;
    const actingParties = distinct(choice.controllers(value, argument));
    const choiceObservers = distinct(choice.observers(value, argument));
    this.#needAuthority(actingParties, () => `exercise of ${choice.name} on ${contract.templateId}`);
    if (choice.consuming) this.#consumed.add(contract.contractId);
    if (++this.#depth > MAX_TRANSACTION_DEPTH) {
      stop(
        "DAML_INTERPRETATION_ERROR",
        `The transaction is nested deeper than ${MAX_TRANSACTION_DEPTH} exercises`,
      );
    }
    const nodeId = this.#nextNodeId();
    const index = this.nodes.length;
    const node: Mutable<ExerciseNode> = {
      kind: "exercise",
      nodeId,
      lastDescendant: nodeId,
      contractId: contract.contractId,
      ...through,
      choice: choice.name,
      consuming: choice.consuming,
      actingParties,
      choiceObservers,
      argument: this.#typed(choice.argument, argument),
      result: { type: choice.result, value: undefined, text: "" },
      signatories,
      observers,
    };
    this.nodes[index] = node;
    const callerAuthority = this.#authority;
    this.#authority = union(signatories, actingParties);
    const result = choice.exercise({ update: this, contract: value, argument, self: contract.contractId });
    this.#authority = callerAuthority;
    this.#depth--;
    node.lastDescendant = this.nodes.length - 1;
    node.result = this.#typed(choice.result, result);
    return result;
  }

  /** The transaction, once all commands ran. */
  finish(): Transaction {
    // Daml's failures cannot be caught. Code that did so would run on with the authority of what failed.
    if (this.#depth !== 0) throw new Error("contract code went on after an exercise that failed");
    return { updateId: multihash(this.#transactionHash), ledgerTime: this.now, nodes: this.nodes };
  }

  /** Unique to the submission and the place in its transaction: most of the one's hash, and the other's number. */
  #discriminatorOf(nodeId: number): string {
    return this.#transactionHash.slice(0, 56) + nodeId.toString(16).padStart(8, "0");
  }

  #use(contractId: ContractId): LiveContract {
    if (this.#consumed.has(contractId)) {
      throw new InterpretationFailure(
        ledgerError(
          "CONTRACT_NOT_ACTIVE",
          `Contract ${contractId} was consumed earlier in this transaction`,
          {
            resources: [["CONTRACT_ID", contractId]],
          },
        ),
      );
    }
    const known = this.#created.get(contractId) ?? this.#inputs.get(contractId);
    if (known !== undefined) return known;
    const input = this.#setting.useContract(contractId);
    this.#measured(input.contract.payload);
    this.#inputs.set(contractId, input);
    return input;
  }

  /**
   * The version of the contract's template that a declaration names. It may be another than the one the contract was
   * created with, as in Daml's smart contract upgrades: the catalogue makes sure that both have the same fields.
   */
  #versionOf(declaration: AnyTemplateDeclaration, { contract, template }: LiveContract): Template {
    if (contract.templateId === declaration.id) return template;
    if (template.declaration.nameRef === declaration.nameRef) return this.#templateOf(declaration);
    return stop(
      "WRONGLY_TYPED_CONTRACT",
      `Contract ${contract.contractId} is a ${contract.templateId}, not a ${declaration.id}`,
    );
  }

  #templateOf(declaration: AnyTemplateDeclaration): Template {
    const template = this.#setting.catalogue.findTemplate(declaration.id);
    return template ?? stop("TEMPLATES_OR_INTERFACES_NOT_FOUND", `${declaration.id} is not in the catalogue`);
  }

  /** Encoding here checks that the value is one of its type, before it is used. */
  #typed(type: AnyDamlType, value: unknown): TypedValue {
    return { type, value, text: this.#measured(type.encode(value)) };
  }

  #measured(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_TRANSACTION_CHARACTERS) {
      stop(
        "DAML_INTERPRETATION_ERROR",
        `The transaction's values exceed ${MAX_TRANSACTION_CHARACTERS} characters`,
      );
    }
    return text;
  }

  #nextNodeId(): number {
    const nodeId = this.nodes.length;
    if (nodeId >= MAX_TRANSACTION_NODES) {
      stop("DAML_INTERPRETATION_ERROR", `The transaction has more than ${MAX_TRANSACTION_NODES} nodes`);
    }
    return nodeId;
  }

  #needAuthority(required: readonly PartyId[], what: () => string): void {
    const missing = required.filter((party) => !this.#authority.includes(party));
    if (required.length > 0 && missing.length === 0) return;
    const named = missing.length > 0 ? nameSome(missing) : "at least one party";
    stop("DAML_AUTHORIZATION_ERROR", `The ${what()} needs the authority of ${named}`);
  }

  #needStakeholder(live: LiveContract): void {
    if (this.#authority.some((party) => isStakeholder(live, party))) return;
    const { templateId } = live.contract;
    stop("DAML_AUTHORIZATION_ERROR", `The fetch of ${templateId} needs the authority of a stakeholder`);
  }
}

/** The first few, so that a message does not grow with what was asked for. */
function nameSome(parties: readonly PartyId[]): string {
  const shown = parties.slice(0, 5).join(", ");
  return parties.length > 5 ? `${shown} and ${parties.length - 5} more` : shown;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function instanceOf(declaration: AnyInterfaceDeclaration, { contract, template }: LiveContract) {
  const instance = template.interfaces.get(declaration.id);
  if (instance !== undefined) return instance;
  return stop(
    "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
    `Contract ${contract.contractId}, a ${contract.templateId}, does not implement ${declaration.id}`,
  );
}

function needChoice(choices: ReadonlyMap<string, RunnableChoice>, name: string, on: string): RunnableChoice {
  const choice = choices.get(name);
  return choice ?? stop("COMMAND_PREPROCESSING_FAILED", `${on} has no choice ${JSON.stringify(name)}`);
}

function stop(code: Exclude<ErrorCode, "DAML_FAILURE">, cause: string): never {
  throw new InterpretationFailure(ledgerError(code, cause));
}

function union(a: readonly PartyId[], b: readonly PartyId[]): readonly PartyId[] {
  const added = b.filter((party) => !a.includes(party));
  return added.length === 0 ? a : [...a, ...added];
}
