import type { AnyDamlType, Template } from "@callsign/ledger";
import { needTemplate } from "./need-template.ts";
import type { StoredExercise } from "./stored-update.ts";

export interface DecodedExercise {
  readonly template: Template;
  /** The types of the values. */
  readonly choice: { readonly argument: AnyDamlType; readonly result: AnyDamlType };
  readonly argument: unknown;
  readonly result: unknown;
}

/** The choice of a stored exercise is its template's, or an interface's. */
export function decodeExercise(event: StoredExercise): DecodedExercise {
  const { templateId, interfaceId } = event;
  const template = needTemplate(templateId);
  const owner = interfaceId === null ? template.choices : template.interfaces.get(interfaceId)?.choices;
  const choice = owner?.get(event.choice);
  if (choice === undefined) throw new Error(`${templateId} has no choice ${event.choice}`);
  const { argument, result } = choice;
  return {
    ...{ template, choice },
    argument: argument.decode(event.argument) as unknown,
    result: result.decode(event.result) as unknown,
  };
}
