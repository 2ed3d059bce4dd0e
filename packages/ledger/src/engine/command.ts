/**
 * What a submission asks for. Arguments are canonical data: the parsed form of a Daml value's canonical
 * text, checked against the template's types only when the command is interpreted.
 */
import type { ContractId } from "../values/contract-id.ts";
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceName,
  Declaration,
  PayloadOf,
} from "./declaration.ts";

export type Command =
  | { readonly kind: "create"; readonly templateId: string; readonly payload: unknown }
  | {
      readonly kind: "exercise";
      /** A template or an interface, by package id or name. */
      readonly templateId: string;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: unknown;
    }
  | {
      readonly kind: "create-and-exercise";
      readonly templateId: string;
      readonly payload: unknown;
      readonly choice: string;
      readonly argument: unknown;
    };

/** Commands written in TypeScript, typed by the template's declaration. */
export function createCommand<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>): Command {
  return { kind: "create", templateId: template.id, payload: JSON.parse(template.record.encode(payload)) };
}

export function exerciseCommand<D extends Declaration, C extends ChoiceName<D>>(
  declaration: D,
  contractId: ContractId,
  choice: C,
  argument: ArgumentOf<D["choices"][C]>,
): Command {
  const type = (declaration.choices as Declaration["choices"])[choice];
  if (type === undefined) throw new Error(`${declaration.nameRef} has no choice ${choice}`);
  return {
    kind: "exercise",
    templateId: declaration.id,
    contractId,
    choice,
    argument: JSON.parse(type.argument.encode(argument)),
  };
}
