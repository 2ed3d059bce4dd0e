/** Events in their wire form, keys in Canton's order. Types render payloads from their canonical text. */
import type { ArchivedEvent, CreatedEvent, ExercisedEvent, StreamEvent } from "@callsign/api";
import {
  type Catalogue,
  type Contract,
  decodeText,
  formatBlob,
  formatInstant,
  type JsonValue,
  ledgerJson,
  timeFromMicros,
} from "@callsign/ledger";
import type { EventExtras } from "./event-filter.ts";

export interface CreatedFacts {
  readonly contract: Contract;
  readonly offset: number;
  readonly nodeId: number;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly witnesses: readonly string[];
  readonly acsDelta: boolean;
}

/** All stakeholders, hosted here or not: a reader for any party sees them all. */
export function listStakeholders(facts: Pick<CreatedFacts, "signatories" | "observers">): readonly string[] {
  return [...facts.signatories, ...facts.observers];
}

export function formatCreated(
  catalogue: Catalogue,
  facts: CreatedFacts,
  { blob, views }: EventExtras,
): CreatedEvent {
  const { contract, offset, nodeId } = facts;
  const template = needTemplate(catalogue, contract.templateId);
  const value: unknown = decodeText(template.payload, contract.payload);
  const { package: pkg } = template.declaration;
  return {
    offset,
    nodeId,
    contractId: contract.contractId,
    templateId: contract.templateId,
    contractKey: null,
    contractKeyHash: "",
    createArgument: template.payload.toJson(value, ledgerJson),
    createdEventBlob: blob ? Buffer.from(formatBlob(contract)).toString("base64") : "",
    interfaceViews: [...views].flatMap((id) => {
      const instance = template.interfaces.get(id);
      if (instance === undefined) return [];
      return [
        {
          interfaceId: id,
          viewStatus: { code: 0, message: "", details: [] },
          viewValue: instance.interface.view.toJson(instance.view(value), ledgerJson) as JsonValue,
          implementationPackageId: pkg.id,
        },
      ];
    }),
    witnessParties: [...facts.witnesses],
    signatories: [...facts.signatories],
    observers: [...facts.observers],
    createdAt: formatInstant(contract.createdAt),
    packageName: pkg.name,
    representativePackageId: pkg.id,
    acsDelta: facts.acsDelta,
  };
}

export interface ArchivedFacts {
  readonly contractId: string;
  readonly templateId: string;
  readonly offset: number;
  readonly nodeId: number;
  readonly witnesses: readonly string[];
}

export function formatArchived(
  catalogue: Catalogue,
  facts: ArchivedFacts,
  { views }: EventExtras,
): ArchivedEvent {
  const { interfaces, declaration } = needTemplate(catalogue, facts.templateId);
  return {
    offset: facts.offset,
    nodeId: facts.nodeId,
    contractId: facts.contractId,
    templateId: facts.templateId,
    witnessParties: [...facts.witnesses],
    packageName: declaration.package.name,
    implementedInterfaces: [...views].filter((id) => interfaces.has(id)),
  };
}

export type ExercisedStreamEvent = Extract<StreamEvent, { kind: "exercised" }>;
export type CreatedStreamEvent = Extract<StreamEvent, { kind: "created" }>;

export function formatExercised(
  catalogue: Catalogue,
  event: ExercisedStreamEvent,
  given: { readonly offset: number; readonly witnesses: readonly string[]; readonly extras: EventExtras },
): ExercisedEvent {
  const template = needTemplate(catalogue, event.templateId);
  const { choices, interfaces, declaration } = template;
  const owner = event.interfaceId === null ? choices : interfaces.get(event.interfaceId)?.choices;
  const choice = owner?.get(event.choice);
  if (choice === undefined) throw new Error(`${event.templateId} has no choice ${event.choice}`);
  return {
    offset: given.offset,
    nodeId: event.nodeId,
    contractId: event.contractId,
    templateId: event.templateId,
    interfaceId: event.interfaceId,
    choice: event.choice,
    choiceArgument: choice.argument.toJson(decodeText(choice.argument, event.argument), ledgerJson),
    actingParties: [...event.actingParties],
    consuming: event.consuming,
    witnessParties: [...given.witnesses],
    lastDescendantNodeId: event.lastDescendant,
    exerciseResult: choice.result.toJson(decodeText(choice.result, event.result), ledgerJson),
    packageName: declaration.package.name,
    implementedInterfaces: [...given.extras.views].filter((id) => interfaces.has(id)),
    acsDelta: event.acsDelta,
  };
}

export function contractOf(event: CreatedStreamEvent): Contract {
  const { contractId, templateId, payload, createdAt } = event;
  return {
    contractId: contractId as Contract["contractId"],
    templateId,
    payload,
    createdAt: timeFromMicros(BigInt(createdAt)),
  };
}

function needTemplate(catalogue: Catalogue, templateId: string) {
  const template = catalogue.findTemplate(templateId);
  if (template === undefined) throw new Error(`no template ${templateId} is known`);
  return template;
}
