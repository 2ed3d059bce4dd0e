/** Rows of the controller tables: a template, and for each of its choices the required controllers. */
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  PayloadOf,
} from "../../../packages/ledger/src/engine/declaration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";

export type Parties = readonly (PartyId | null)[];
export type Rows = ReadonlyMap<string, (payload: unknown, argument: unknown) => Parties>;

export function rows<T extends AnyTemplateDeclaration>(
  template: T,
  choices: {
    readonly [C in keyof T["choices"]]: (
      payload: PayloadOf<T>,
      argument: ArgumentOf<T["choices"][C]>,
    ) => Parties;
  },
): readonly [string, Rows] {
  const entries = Object.entries(choices as Record<string, (payload: unknown, argument: unknown) => Parties>);
  return [template.id, new Map(entries)];
}

/** The choices that a template has through its interfaces. */
export function interfaceRows<T extends AnyTemplateDeclaration>(
  template: T,
  choices: Readonly<Record<string, (payload: PayloadOf<T>, argument: unknown) => Parties>>,
): readonly [string, Rows] {
  const entries = Object.entries(choices as Record<string, (payload: unknown, argument: unknown) => Parties>);
  return [template.id, new Map(entries)];
}
