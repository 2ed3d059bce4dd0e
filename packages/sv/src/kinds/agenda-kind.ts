/**
 * A kind of contracts that the agenda keeps: the columns by which they are found, when time makes one due, and the
 * subjects that are decided anew when one comes, goes or falls due. A template belongs to the agenda by one such object.
 */
import type {
  AnyTemplateDeclaration,
  Contract,
  ContractId,
  Hash,
  PartyId,
  PayloadOf,
  Time,
} from "@callsign/ledger";
import type { Subject } from "./subject.ts";

/** Keys are those of `keys.ts`. A column that says nothing about a contract is null. */
export interface AgendaColumns {
  /** Of the name that the contract is about. */
  readonly nameKey: bigint | null;
  /** Of the request that a name's contracts refer to. */
  readonly referenceKey: bigint | null;
  /** Of the member, validator, SV or sender that the contract belongs to or is about. */
  readonly ownerKey: bigint | null;
  /** Of an action and the SV that confirms it. */
  readonly confirmationKey: bigint | null;
  /** The number of the round that the contract is or is about. */
  readonly round: bigint | null;
  /** The first moment at which time alone makes it due. */
  readonly due: bigint | null;
  /** True if it waits for the SVs from its creation on. */
  readonly pending: boolean;
}

export type KeyColumn = "nameKey" | "referenceKey" | "ownerKey" | "confirmationKey" | "round" | "coinKey";

export interface AgendaRow extends Omit<AgendaColumns, "pending"> {
  /** Orders contracts by creation over all of the log, and is the row's id. */
  readonly created: bigint;
  readonly contractId: ContractId;
  readonly template: AnyTemplateDeclaration;
  readonly createdAt: Time;
  /** Of the locked coin of a payment. */
  readonly coinKey: bigint | null;
}

/** The facts beyond the contract itself that its columns may depend on. */
export interface ColumnContext {
  readonly hash: Hash;
  /** The name of a context, by its reference or by its own id. */
  readonly nameOfReference: (reference: ContractId) => string | null;
  readonly nameOfContext: (context: ContractId) => string | null;
  /** The number of a round that is no longer open. */
  readonly numberOfRound: (round: ContractId) => bigint | null;
  /** True if the commands of a sender with that key are counted. */
  readonly hasCounter: (ownerKey: bigint) => boolean;
  /** The present number of SVs that have to agree. */
  readonly requiredVotes: () => number;
  /** The time that a request may go without an answer, in microseconds. */
  readonly requestWait: bigint;
}

export interface AgendaKind<Payload = never> {
  readonly template: AnyTemplateDeclaration;
  readonly columnsOf?: (
    payload: Payload,
    context: ColumnContext,
    contract: Contract,
  ) => Partial<AgendaColumns>;
  readonly subjectsOf?: (row: AgendaRow) => readonly Subject[];
  /** The DSO that is asked by a request which its user signs alone. Contracts of all other kinds have the DSO's signature. */
  readonly askedDso?: (payload: Payload) => PartyId;
  /** True if every decision depends on it: a change decides every pending subject again. */
  readonly isRule?: boolean;
  /** The locked coin of a payment: once it is gone, no choice on the payment can succeed. */
  readonly coinOf?: (payload: Payload) => ContractId;
  /** Contracts of that template with the same owner wait no longer once there is one of this kind. */
  readonly settles?: AnyTemplateDeclaration;
}

export function agendaKind<T extends AnyTemplateDeclaration>(
  template: T,
  kind: Omit<AgendaKind<PayloadOf<T>>, "template"> = {},
): AgendaKind {
  return { template, ...kind };
}

/** A kind whose contracts are decided on one by one, each from a moment on that it names. */
export function dueByItself<T extends AnyTemplateDeclaration>(
  template: T,
  dueOf: (payload: PayloadOf<T>) => bigint,
): AgendaKind {
  return agendaKind(template, {
    columnsOf: (payload) => ({ due: dueOf(payload) }),
    subjectsOf: (row) => [itself(row)],
  });
}

/** The subject of a contract that is decided on by itself. */
export function itself({ created }: AgendaRow): Subject {
  return { kind: "contract", key: created };
}
