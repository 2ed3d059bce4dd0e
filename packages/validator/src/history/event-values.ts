/** Reads the participant's events by the declarations of their templates. */
import type { CreatedEvent, ExercisedEvent } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  type ArgumentOf,
  type ChoiceName,
  ledgerJson,
  type PayloadOf,
  type ResultOf,
} from "@callsign/ledger";

/**
 * The key of a template. It has the package's name, because later versions have other ids, and other packages may use the
 * same module and entity.
 */
export function templateKey({ package: { name }, module, entity }: AnyTemplateDeclaration): string {
  return `${name}:${module}:${entity}`;
}

export function eventKey({
  packageName,
  templateId,
}: Pick<CreatedEvent, "packageName" | "templateId">): string {
  return packageName + templateId.slice(templateId.indexOf(":"));
}

export function isOf(
  event: Pick<CreatedEvent, "packageName" | "templateId">,
  template: AnyTemplateDeclaration,
): boolean {
  return eventKey(event) === templateKey(template);
}

export function payloadOf<T extends AnyTemplateDeclaration>(
  template: T,
  { createArgument }: Pick<CreatedEvent, "createArgument">,
): PayloadOf<T> {
  return template.record.fromJson(createArgument, ledgerJson) as PayloadOf<T>;
}

export function argumentOf<T extends AnyTemplateDeclaration, C extends ChoiceName<T>>(
  template: T,
  choice: C,
  { choiceArgument }: ExercisedEvent,
): ArgumentOf<T["choices"][C]> {
  return template.choices[choice].argument.fromJson(choiceArgument, ledgerJson);
}

export function resultOf<T extends AnyTemplateDeclaration, C extends ChoiceName<T>>(
  template: T,
  choice: C,
  { exerciseResult }: ExercisedEvent,
): ResultOf<T["choices"][C]> {
  return template.choices[choice].result.fromJson(exerciseResult, ledgerJson);
}
