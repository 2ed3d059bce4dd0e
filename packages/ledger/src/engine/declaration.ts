/**
 * The declarations of a Daml package: the fields of its templates, the arguments and results of their
 * choices, the views of its interfaces. Rules (who signs, who may, what happens) are attached by `implement`.
 * Keeping the two apart lets contracts refer to each other, and lets applications know shapes without rules.
 */
import type { DamlType, ValueOf } from "../daml/daml-type.ts";
import { type Fields, type RecordType, record } from "../daml/record.ts";
import { type Unit, unit } from "../daml/scalars.ts";
import { unitEnum } from "../daml/variant.ts";

export interface DamlPackage {
  readonly name: string;
  readonly version: string;
  readonly id: string;
}

export interface ChoiceDeclaration<A extends Fields = Fields, R = unknown> {
  readonly consuming: boolean;
  readonly argument: RecordType<A>;
  readonly result: DamlType<R>;
}

// biome-ignore lint/suspicious/noExplicitAny: any choice, with any argument and result.
export type Choices = { readonly [name: string]: ChoiceDeclaration<any, any> };

export interface Declaration {
  readonly package: DamlPackage;
  readonly module: string;
  readonly entity: string;
  /** `<package-id>:<module>:<entity>`, as events show it. */
  readonly id: string;
  /** `#<package-name>:<module>:<entity>`, as commands usually name it. */
  readonly nameRef: string;
  readonly choices: Choices;
}

export interface TemplateDeclaration<F extends Fields = Fields, C extends Choices = Choices>
  extends Declaration {
  readonly record: RecordType<F>;
  readonly choices: C;
}

export interface InterfaceDeclaration<V = unknown, C extends Choices = Choices> extends Declaration {
  readonly view: DamlType<V>;
  readonly choices: C;
}

// biome-ignore lint/suspicious/noExplicitAny: any template, with any fields.
export type AnyTemplateDeclaration = TemplateDeclaration<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: any interface, with any view.
export type AnyInterfaceDeclaration = InterfaceDeclaration<any, any>;

export type PayloadOf<T extends AnyTemplateDeclaration> = ValueOf<T["record"]>;
export type ViewOf<I extends AnyInterfaceDeclaration> = ValueOf<I["view"]>;
export type ChoiceName<D extends Declaration> = keyof D["choices"] & string;
export type ArgumentOf<C> = C extends { readonly argument: DamlType<infer A> } ? A : never;
export type ResultOf<C> = C extends { readonly result: DamlType<infer R> } ? R : never;

interface Place {
  readonly package: DamlPackage;
  readonly module: string;
  readonly entity: string;
}

type NoChoices = Record<never, never>;

export function declareTemplate<const F extends Fields, const C extends Choices = NoChoices>(
  place: Place & { readonly fields: F; readonly choices?: C },
): TemplateDeclaration<F, C> {
  return {
    ...named(place),
    record: record(place.entity, place.fields),
    choices: nameTypes(place.choices ?? ({} as C)),
  };
}

export function declareInterface<V, const C extends Choices = NoChoices>(
  place: Place & { readonly view: DamlType<V>; readonly choices?: C },
): InterfaceDeclaration<V, C> {
  return { ...named(place), view: place.view, choices: place.choices ?? ({} as C) };
}

/** The result of a choice that declares none, until `nameTypes` knows the choice's name. */
const UNNAMED_RESULT = unitEnum("");

/** Without a result, the choice answers an enum of one constructor, which has the choice's name and `Result`. */
export function consuming<const A extends Fields, R = Unit>(
  argument: A,
  result: DamlType<R> = UNNAMED_RESULT as DamlType<unknown> as DamlType<R>,
): ChoiceDeclaration<A, R> {
  return { consuming: true, argument: record(argument), result };
}

export function nonConsuming<const A extends Fields, R = Unit>(
  argument: A,
  result?: DamlType<R>,
): ChoiceDeclaration<A, R> {
  return { ...consuming(argument, result), consuming: false };
}

/** The record of a choice's argument has the choice's name; so has the result of a choice that declares none. */
export function nameTypes<const C extends Choices>(choices: C): C {
  const entries = Object.entries(choices).map(([name, choice]) => {
    const result = choice.result === UNNAMED_RESULT ? unitEnum(`${name}Result`) : choice.result;
    return [name, { ...choice, argument: record(name, choice.argument.fields), result }];
  });
  return Object.fromEntries(entries) as C;
}

/** Every template and interface has this choice; its controllers are the contract's signatories. */
export const archiveChoice: ChoiceDeclaration<Record<never, never>, Unit> = consuming({}, unit);

function named({ package: pkg, module, entity }: Place): Omit<Declaration, "choices"> {
  return {
    package: pkg,
    module,
    entity,
    id: `${pkg.id}:${module}:${entity}`,
    nameRef: `#${pkg.name}:${module}:${entity}`,
  };
}
