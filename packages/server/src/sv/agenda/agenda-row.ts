/**
 * Which contracts of the DSO the agenda keeps, by what each is found, and when time makes it due. Keys are the first
 * 60 bits of a hash: whoever finds a row by one checks the contract itself.
 */
import {
  ActionRequiringConfirmation,
  AmuletPriceVote,
  AmuletRules,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  ClosedMiningRound,
  Confirmation,
  type ContractId,
  DsoRules,
  ExternalPartyConfigState,
  type Hash,
  IssuingMiningRound,
  MemberTraffic,
  NameCare,
  type PartyId,
  type PayloadOf,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SummarizingMiningRound,
  SvRewardState,
  TerminatedSubscription,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from "@callsign/ledger";

/** A template's number in the rows is its place here: new ones go to the end. */
export const AGENDA_TEMPLATES = [
  AnsEntryContext,
  AnsEntry,
  SubscriptionRequest,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionIdleState,
  TerminatedSubscription,
  Confirmation,
  AmuletPriceVote,
  ExternalPartyConfigState,
  DsoRules,
  AmuletRules,
  AnsRules,
  NameCare,
  SummarizingMiningRound,
  IssuingMiningRound,
  ClosedMiningRound,
  UnclaimedReward,
  UnclaimedDevelopmentFundCoupon,
  MemberTraffic,
  SvRewardState,
] as const;

/** The first agendas had only those before this one. */
export const FIRST_ADDED = AGENDA_TEMPLATES.indexOf(SummarizingMiningRound);

export type AgendaTemplate = (typeof AGENDA_TEMPLATES)[number];

const NUMBERS: ReadonlyMap<string, bigint> = new Map(
  AGENDA_TEMPLATES.map(({ id }, number) => [id, BigInt(number)]),
);

export function templateNumber(templateId: string): bigint | undefined {
  return NUMBERS.get(templateId);
}

/** What every decision depends on: a change makes all that waits worth another look. */
export const RULES: ReadonlySet<string> = new Set(
  [DsoRules, AmuletRules, AnsRules, NameCare, AmuletPriceVote].map(({ id }) => id),
);

export interface RowContent {
  readonly key: bigint;
  /** A second key: the coin of a payment, the name or the round that a confirmation is about. */
  readonly other: bigint | null;
  /** The first moment at which time alone makes it due. */
  readonly due: bigint | null;
  /** Whether it waits for the SVs from its creation on. */
  readonly pending: boolean;
}

/** Finds the name of a context by its reference or by its own id, and the number of a round that is no longer open. */
export interface FindSubject {
  readonly ofReference: (reference: ContractId) => string | null;
  readonly ofContext: (context: ContractId) => string | null;
  readonly ofRound: (round: ContractId) => bigint | null;
}

export function rowContentOf(
  { templateId, contractId }: { readonly templateId: string; readonly contractId: ContractId },
  value: unknown,
  hash: Hash,
  find: FindSubject,
): RowContent {
  const plain = { key: 0n, other: null, due: null, pending: false };
  switch (templateId) {
    case AnsEntryContext.id:
      return { ...plain, key: contractKey((value as PayloadOf<typeof AnsEntryContext>).reference) };
    case AnsEntry.id: {
      const { name, expiresAt } = value as PayloadOf<typeof AnsEntry>;
      return { ...plain, key: textKey(hash, name), due: expiresAt + 1n };
    }
    case SubscriptionRequest.id:
      return { ...plain, key: contractKey(contractId) };
    case SubscriptionInitialPayment.id: {
      const { reference, lockedAmulet } = value as PayloadOf<typeof SubscriptionInitialPayment>;
      const key = nameOrReference(hash, find, reference);
      return { key, other: contractKey(lockedAmulet), due: null, pending: true };
    }
    case SubscriptionPayment.id: {
      const { reference, lockedAmulet, thisPaymentDueAt } = value as PayloadOf<typeof SubscriptionPayment>;
      const key = nameOrReference(hash, find, reference);
      return { key, other: contractKey(lockedAmulet), due: thisPaymentDueAt, pending: true };
    }
    case SubscriptionIdleState.id: {
      const { reference, nextPaymentDueAt } = value as PayloadOf<typeof SubscriptionIdleState>;
      return { ...plain, key: contractKey(reference), due: nextPaymentDueAt + 1n };
    }
    case TerminatedSubscription.id: {
      const { reference } = value as PayloadOf<typeof TerminatedSubscription>;
      return { ...plain, key: contractKey(reference), pending: true };
    }
    case Confirmation.id: {
      const { action, confirmer, expiresAt } = value as PayloadOf<typeof Confirmation>;
      const other = keyOfAction(hash, find, action);
      const text = ActionRequiringConfirmation.encode(action);
      return { key: confirmationKey(hash, text, confirmer), other, due: expiresAt, pending: false };
    }
    case ExternalPartyConfigState.id: {
      const { targetArchiveAfter } = value as PayloadOf<typeof ExternalPartyConfigState>;
      return { ...plain, due: targetArchiveAfter };
    }
    case MemberTraffic.id: {
      const text = trafficText(value as PayloadOf<typeof MemberTraffic>);
      return { ...plain, key: textKey(hash, text) };
    }
    case SvRewardState.id:
      return { ...plain, key: textKey(hash, (value as PayloadOf<typeof SvRewardState>).svName) };
    case SummarizingMiningRound.id:
    case ClosedMiningRound.id: {
      const { round } = value as PayloadOf<typeof SummarizingMiningRound | typeof ClosedMiningRound>;
      return { ...plain, key: round.number, pending: true };
    }
    case IssuingMiningRound.id: {
      const { round, targetClosesAt } = value as PayloadOf<typeof IssuingMiningRound>;
      return { ...plain, key: round.number, due: targetClosesAt };
    }
    default:
      return plain;
  }
}

/** What a confirmation is about. */
function keyOfAction(hash: Hash, find: FindSubject, action: ActionRequiringConfirmation): bigint | null {
  if (action.tag === "ARC_AnsEntryContext") {
    const name = find.ofContext(action.value.ansEntryContextCid);
    return name === null ? null : textKey(hash, name);
  }
  if (action.tag !== "ARC_AmuletRules") return null;
  const roundCid = roundOfAction(action.value.amuletRulesAction);
  const number = roundCid === null ? null : find.ofRound(roundCid);
  return number === null ? null : roundKey(number);
}

type AmuletRulesAction = Extract<
  ActionRequiringConfirmation,
  { tag: "ARC_AmuletRules" }
>["value"]["amuletRulesAction"];

function roundOfAction({ tag, value }: AmuletRulesAction): ContractId | null {
  if (tag === "CRARC_MiningRound_StartIssuing") return value.miningRoundCid;
  return tag === "CRARC_MiningRound_Archive" ? value.closedRoundCid : null;
}

/** Keys of names are not negative, those of rounds are: so they stand in one column. It is its own inverse. */
export function roundKey(number: bigint): bigint {
  return -1n - number;
}

const KEY_DIGITS = 15;

/** A contract id is made of hashes already. */
export function contractKey(contractId: ContractId): bigint {
  return BigInt(`0x${contractId.slice(2, 2 + KEY_DIGITS)}`);
}

export function textKey(hash: Hash, text: string): bigint {
  return BigInt(`0x${hash(text).slice(0, KEY_DIGITS)}`);
}

/** Whose traffic it is: what can be merged has this in common. */
export function trafficText(traffic: PayloadOf<typeof MemberTraffic>): string {
  const { memberId, synchronizerId, migrationId } = traffic;
  return JSON.stringify([memberId, synchronizerId, String(migrationId)]);
}

/** By action and SV, so that whoever confirms a thousand times hides nobody else. */
export function confirmationKey(hash: Hash, actionText: string, sv: PartyId): bigint {
  return textKey(hash, `${sv}\n${actionText}`);
}

/** A payment whose context is gone can still be given back. */
function nameOrReference(hash: Hash, find: FindSubject, reference: ContractId): bigint {
  const name = find.ofReference(reference);
  return name === null ? contractKey(reference) : textKey(hash, name);
}
