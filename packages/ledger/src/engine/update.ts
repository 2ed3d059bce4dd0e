/** The operations of a choice's body, under the authority it runs with. Each call may abort the transaction. */
import type { ContractId } from "../values/contract-id.ts";
import type { Time } from "../values/time.ts";
import type {
  AnyInterfaceDeclaration,
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceName,
  PayloadOf,
  ResultOf,
  ViewOf,
} from "./declaration.ts";

export interface Update {
  /** Ledger time: the same at every place of one transaction. */
  readonly now: Time;

  /** Needs the authority of every signatory, and the template's `ensure` to hold. */
  create<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>): ContractId;

  /** Needs the authority of one stakeholder. */
  fetch<T extends AnyTemplateDeclaration>(template: T, contractId: ContractId): PayloadOf<T>;

  /** The view of a contract through an interface; needs the authority of one stakeholder. */
  fetchView<I extends AnyInterfaceDeclaration>(declaration: I, contractId: ContractId): ViewOf<I>;

  /** Needs the authority of every controller; the body runs as the contract's signatories and controllers. */
  exercise<T extends AnyTemplateDeclaration, C extends ChoiceName<T>>(
    template: T,
    contractId: ContractId,
    choice: C,
    argument: ArgumentOf<T["choices"][C]>,
  ): ResultOf<T["choices"][C]>;

  /** The same through an interface that the contract's template implements. */
  exerciseInterface<I extends AnyInterfaceDeclaration, C extends ChoiceName<I>>(
    declaration: I,
    contractId: ContractId,
    choice: C,
    argument: ArgumentOf<I["choices"][C]>,
  ): ResultOf<I["choices"][C]>;

  /** Needs the authority of every signatory. */
  archive(template: AnyTemplateDeclaration, contractId: ContractId): void;
}
