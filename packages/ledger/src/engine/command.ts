/**
 * The commands of a submission. Payloads and arguments are canonical data: the parsed form of a Daml value's
 * canonical text, checked against the template's types only when the command is interpreted.
 */
import { canonicalData } from "../daml/canonical-data.ts";
import type { ValueOf } from "../daml/daml-type.ts";
import { record } from "../daml/record.ts";
import { contractId as contractIdType, text } from "../daml/scalars.ts";
import { variant } from "../daml/variant.ts";
import type { ContractId } from "../values/contract-id.ts";
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceName,
  Declaration,
  PayloadOf,
} from "./declaration.ts";

/** `templateId` names a template by package id or name; an exercise may name an interface as well. */
export const Command = variant({
  Create: record({ templateId: text, payload: canonicalData }),
  Exercise: record({ templateId: text, contractId: contractIdType, choice: text, argument: canonicalData }),
  CreateAndExercise: record({
    templateId: text,
    payload: canonicalData,
    choice: text,
    argument: canonicalData,
  }),
});
export type Command = ValueOf<typeof Command>;

/** Commands written in TypeScript, typed by the template's declaration. */
export function createCommand<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>): Command {
  const data: unknown = JSON.parse(template.record.encode(payload));
  return { tag: "Create", value: { templateId: template.id, payload: data } };
}

export function exerciseCommand<D extends Declaration, C extends ChoiceName<D>>(
  declaration: D,
  contractId: ContractId,
  choice: C,
  argument: ArgumentOf<D["choices"][C]>,
): Command {
  const type = (declaration.choices as Declaration["choices"])[choice];
  if (type === undefined) throw new Error(`${declaration.nameRef} has no choice ${choice}`);
  const data: unknown = JSON.parse(type.argument.encode(argument));
  return { tag: "Exercise", value: { templateId: declaration.id, contractId, choice, argument: data } };
}
