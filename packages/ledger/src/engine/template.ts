/** A template with its rules: who signs and observes, what must hold, what each choice does. */
import type { AnyDamlType } from "../daml/daml-type.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import {
  type AnyInterfaceDeclaration,
  type AnyTemplateDeclaration,
  type ArgumentOf,
  archiveChoice,
  type Choices,
  type PayloadOf,
  type ResultOf,
  type ViewOf,
} from "./declaration.ts";
import type { Update } from "./update.ts";

export interface ChoiceCall<Payload, Argument> {
  readonly update: Update;
  readonly contract: Payload;
  readonly argument: Argument;
  readonly self: ContractId;
}

export interface ChoiceRules<Payload, Argument, Result> {
  readonly controllers: (contract: Payload, argument: Argument) => readonly PartyId[];
  /** Parties that are shown the exercise although they neither sign nor act. */
  readonly observers?: (contract: Payload, argument: Argument) => readonly PartyId[];
  readonly exercise: (call: ChoiceCall<Payload, Argument>) => Result;
}

type AllChoiceRules<Payload, C extends Choices> = {
  readonly [K in keyof C]: ChoiceRules<Payload, ArgumentOf<C[K]>, ResultOf<C[K]>>;
};

/** A declaration without choices needs no rules for them. */
type ChoicesProperty<Payload, C extends Choices> = keyof C extends never
  ? { readonly choices?: never }
  : { readonly choices: AllChoiceRules<Payload, C> };

type TemplateRules<T extends AnyTemplateDeclaration> = {
  readonly signatories: (contract: PayloadOf<T>) => readonly PartyId[];
  readonly observers?: (contract: PayloadOf<T>) => readonly PartyId[];
  readonly ensure?: (contract: PayloadOf<T>) => boolean;
  readonly interfaces?: readonly InterfaceInstance[];
} & ChoicesProperty<PayloadOf<T>, T["choices"]>;

/** The rules of some choices of a template: a file for each group of them. */
export type SomeChoiceRules<T extends AnyTemplateDeclaration> = Partial<
  AllChoiceRules<PayloadOf<T>, T["choices"]>
>;

/** A choice as the engine runs it: types and rules together, the types forgotten. */
export interface RunnableChoice {
  readonly name: string;
  readonly consuming: boolean;
  readonly argument: AnyDamlType;
  readonly result: AnyDamlType;
  readonly controllers: (contract: unknown, argument: unknown) => readonly PartyId[];
  readonly observers: (contract: unknown, argument: unknown) => readonly PartyId[];
  readonly exercise: (call: ChoiceCall<unknown, unknown>) => unknown;
}

export interface InterfaceInstance {
  readonly interface: AnyInterfaceDeclaration;
  readonly view: (contract: unknown) => unknown;
  readonly choices: ReadonlyMap<string, RunnableChoice>;
}

export interface Template {
  readonly declaration: AnyTemplateDeclaration;
  readonly payload: AnyDamlType;
  readonly signatories: (contract: unknown) => readonly PartyId[];
  readonly observers: (contract: unknown) => readonly PartyId[];
  readonly ensure: (contract: unknown) => boolean;
  readonly choices: ReadonlyMap<string, RunnableChoice>;
  readonly interfaces: ReadonlyMap<string, InterfaceInstance>;
}

const NOBODY: readonly PartyId[] = [];

export function implement<T extends AnyTemplateDeclaration>(
  declaration: T,
  rules: TemplateRules<T>,
): Template {
  const archive: RunnableChoice = {
    name: "Archive",
    ...archiveChoice,
    controllers: (contract) => rules.signatories(contract as PayloadOf<T>),
    observers: () => NOBODY,
    exercise: () => ({}),
  };
  const choices = runnable<PayloadOf<T>>(declaration.choices, rules.choices ?? {}).set("Archive", archive);
  const instances = (rules.interfaces ?? []).map((instance): InterfaceInstance => {
    return { ...instance, choices: new Map(instance.choices).set("Archive", archive) };
  });
  return {
    declaration,
    payload: declaration.record,
    signatories: rules.signatories as Template["signatories"],
    observers: (rules.observers ?? (() => NOBODY)) as Template["observers"],
    ensure: (rules.ensure ?? (() => true)) as Template["ensure"],
    choices,
    interfaces: new Map(instances.map((instance) => [instance.interface.id, instance])),
  };
}

/** A template's implementation of an interface: its view, and the rules of the interface's choices on it. */
export function implementInterface<T extends AnyTemplateDeclaration, I extends AnyInterfaceDeclaration>(
  _template: T,
  declaration: I,
  rules: { readonly view: (contract: PayloadOf<T>) => ViewOf<I> } & ChoicesProperty<
    PayloadOf<T>,
    I["choices"]
  >,
): InterfaceInstance {
  return {
    interface: declaration,
    view: rules.view as InterfaceInstance["view"],
    choices: runnable<PayloadOf<T>>(declaration.choices, rules.choices ?? {}),
  };
}

function runnable<Payload>(
  declared: Choices,
  rules: AllChoiceRules<Payload, Choices>,
): Map<string, RunnableChoice> {
  const choices = new Map<string, RunnableChoice>();
  for (const [name, declaration] of Object.entries(declared)) {
    const rule = rules[name] as ChoiceRules<unknown, unknown, unknown>;
    const { controllers, observers = () => NOBODY, exercise } = rule;
    choices.set(name, { name, ...declaration, controllers, observers, exercise });
  }
  return choices;
}
