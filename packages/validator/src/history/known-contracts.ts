/**
 * Contracts whose payloads later updates do not repeat: coins, pending payments and transfers, and the
 * names that requests were for. Coin and names of another DSO are not among them.
 */
import type { CreatedEvent } from "@callsign/api";
import {
  Amulet,
  AmuletTransferInstruction,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  DevelopmentFundCoupon,
  ledgerJson,
  type PayloadOf,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "@callsign/ledger";
import { eventKey, isOf, payloadOf, templateKey } from "./event-values.ts";
import type { KnownFundCoupon } from "./fund-coupons.ts";
import { type NewNameRequest, readNameRequest } from "./new-name-request.ts";

export interface KnownContract {
  readonly template: string;
  readonly payload: CreatedEvent["createArgument"];
}

/** The content of a requested name. */
export interface RequestedName {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

export interface KnownFacts {
  /** By contract id. */
  readonly contracts: Map<string, KnownContract>;
  /** By the id of the subscription request, which all contracts of a subscription refer to. */
  readonly names: Map<string, RequestedName>;
  /** By contract id. */
  readonly fundCoupons: Map<string, KnownFundCoupon>;
  /** By the id that the contracts of a request refer to. */
  readonly nameRequests: Map<string, NewNameRequest>;
}

export function noFacts(): KnownFacts {
  return { contracts: new Map(), names: new Map(), fundCoupons: new Map(), nameRequests: new Map() };
}

const KEPT: readonly AnyTemplateDeclaration[] = [
  Amulet,
  AmuletTransferInstruction,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
];
const keptKeys = new Set(KEPT.map(templateKey));

/** Templates of the contracts to load where updates begin later than the ledger. */
export const knownTemplates: readonly AnyTemplateDeclaration[] = [
  ...KEPT,
  AnsEntryContext,
  DevelopmentFundCoupon,
];

export function isKept(event: Pick<CreatedEvent, "packageName" | "templateId">): boolean {
  return keptKeys.has(eventKey(event));
}

export interface LearningTerms {
  readonly dso: string;
  /** The parties whose contracts are known. The end of a contract without a stakeholder among them would never be seen. */
  readonly parties: ReadonlySet<string>;
}

export function learn(
  { contracts, names, fundCoupons, nameRequests }: KnownFacts,
  event: CreatedEvent,
  { dso, parties }: LearningTerms,
): void {
  if (![...event.signatories, ...event.observers].some((party) => parties.has(party))) return;
  const asked = readNameRequest(event, dso);
  if (asked !== undefined && parties.has(asked.request.party) && !nameRequests.has(asked.reference))
    nameRequests.set(asked.reference, asked.request);
  if (isOf(event, AnsEntryContext)) {
    const { reference, name, url, description, dso: named } = payloadOf(AnsEntryContext, event);
    if (named === dso) names.set(reference, { name, url, description });
  }
  if (isOf(event, DevelopmentFundCoupon) && payloadOf(DevelopmentFundCoupon, event).dso === dso)
    fundCoupons.set(event.contractId, { payload: event.createArgument, createdAt: event.createdAt });
  if (!isKept(event) || (isOf(event, Amulet) && payloadOf(Amulet, event).dso !== dso)) return;
  contracts.set(event.contractId, { template: eventKey(event), payload: event.createArgument });
}

/** Leaves out requests that were paid: where updates begin later than the ledger, time and amount of the payment are unknown. */
export function withoutPaidRequests(facts: KnownFacts): KnownFacts {
  const nameRequests = new Map(facts.nameRequests);
  for (const { payload } of facts.contracts.values()) {
    const reference = (payload as { readonly reference?: unknown }).reference;
    if (typeof reference === "string") nameRequests.delete(reference);
  }
  return { ...facts, nameRequests };
}

export function findKnown<T extends AnyTemplateDeclaration>(
  { contracts }: Pick<KnownFacts, "contracts">,
  template: T,
  contractId: string,
): PayloadOf<T> | undefined {
  const known = contracts.get(contractId);
  if (known?.template !== templateKey(template)) return undefined;
  return template.record.fromJson(known.payload, ledgerJson) as PayloadOf<T>;
}
