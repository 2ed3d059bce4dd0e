/** Rows of the controller tables: a template, and for each of its choices the required controllers. */
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  PayloadOf,
} from "../../../packages/ledger/src/engine/declaration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";

export type Parties = readonly (PartyId | null)[];
type Controllers<Payload, Argument> = (payload: Payload, argument: Argument) => Parties;
export type Rows = Readonly<Record<string, Controllers<unknown, unknown>>>;

type RowsOf<T extends AnyTemplateDeclaration> = {
  readonly [C in keyof T["choices"]]: Controllers<PayloadOf<T>, ArgumentOf<T["choices"][C]>>;
};

export function rows<T extends AnyTemplateDeclaration>(
  template: T,
  choices: RowsOf<T>,
): readonly [string, Rows] {
  return [template.id, choices as Rows];
}

/** Every choice of the template has these controllers, but for the exceptions. */
export function everyChoice<T extends AnyTemplateDeclaration>(
  template: T,
  controllers: Controllers<PayloadOf<T>, never>,
  exceptions: Partial<RowsOf<T>> = {},
): readonly [string, Rows] {
  const all = Object.keys(template.choices).map((choice) => [choice, exceptions[choice] ?? controllers]);
  return [template.id, Object.fromEntries(all)];
}

/** The choices that a template has through its interfaces. */
export function interfaceRows<T extends AnyTemplateDeclaration>(
  template: T,
  choices: Readonly<Record<string, (payload: PayloadOf<T>, argument: never) => Parties>>,
): readonly [string, Rows] {
  return [template.id, choices as Rows];
}

type Named<F extends string> = Readonly<Record<F, PartyId>>;

/** The parties in these fields of the contract. */
export function of<F extends string>(...fields: readonly F[]) {
  return (payload: Named<F>): readonly PartyId[] => fields.map((field) => payload[field]);
}

/** The parties in these fields of the choice's argument. */
export function given<F extends string>(...fields: readonly F[]) {
  return (_payload: unknown, argument: Readonly<Record<F, PartyId | null>>): Parties =>
    fields.map((field) => argument[field]);
}

interface OfSubscription {
  readonly subscriptionData: Named<"sender" | "receiver" | "provider">;
}

/** The parties in these fields of a subscription. */
export function inSubscription(...fields: readonly ("sender" | "receiver" | "provider")[]) {
  return ({ subscriptionData }: OfSubscription): readonly PartyId[] =>
    fields.map((field) => subscriptionData[field]);
}
