/** Commands of the JSON Ledger API, typed by the templates' declarations. */
import type { Command } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  type ArgumentOf,
  type ChoiceName,
  type ContractId,
  type Declaration,
  ledgerJson,
  type PayloadOf,
} from "@callsign/ledger";

export function create<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>): Command {
  const createArguments = template.record.toJson(payload, ledgerJson);
  return { CreateCommand: { templateId: template.nameRef, createArguments } };
}

/** On a template, or on an interface that the contract's template implements. */
export function exercise<T extends Declaration, C extends ChoiceName<T>>(
  template: T,
  contractId: ContractId,
  choice: C,
  argument: ArgumentOf<T["choices"][C]>,
): Command {
  const type = (template as Declaration).choices[choice];
  if (type === undefined) throw new Error(`${template.nameRef} has no choice ${choice}`);
  const choiceArgument = type.argument.toJson(argument, ledgerJson);
  return { ExerciseCommand: { templateId: template.nameRef, contractId, choice, choiceArgument } };
}

export function archive(template: AnyTemplateDeclaration, contractId: ContractId): Command {
  return {
    ExerciseCommand: { templateId: template.nameRef, contractId, choice: "Archive", choiceArgument: {} },
  };
}
