/**
 * Which contracts of the DSO the agenda keeps, and the keys by which they are found: the first 60 bits of a hash.
 * Whoever finds a row by one checks the contract itself.
 */
import {
  AmuletAllocation,
  AmuletPriceVote,
  AmuletRules,
  AmuletTransferInstruction,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  ClosedMiningRound,
  Confirmation,
  type ContractId,
  DevelopmentFundCoupon,
  DsoRules,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  FeaturedAppActivityMarker,
  type Hash,
  IssuingMiningRound,
  MemberTraffic,
  NameCare,
  type PartyId,
  type PayloadOf,
  RequestWithdrawal,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SummarizingMiningRound,
  SvRewardState,
  TerminatedSubscription,
  TransferCommand,
  TransferCommandCounter,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorLicense,
  VoteRequest,
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
  FeaturedAppActivityMarker,
  ValidatorLicense,
  TransferPreapproval,
  UnclaimedActivityRecord,
  UnallocatedUnclaimedActivityRecord,
  DevelopmentFundCoupon,
  VoteRequest,
  RequestWithdrawal,
  ExternalPartyAmuletRules,
  AmuletTransferInstruction,
  AmuletAllocation,
  TransferCommand,
  TransferCommandCounter,
] as const;

/** By the version of an agenda that knew all before it: the first template which that agenda lacks. */
export const FIRST_LACKING = {
  1: AGENDA_TEMPLATES.indexOf(SummarizingMiningRound),
  2: AGENDA_TEMPLATES.indexOf(FeaturedAppActivityMarker),
} as const;

export type AgendaTemplate = (typeof AGENDA_TEMPLATES)[number];

const NUMBERS: ReadonlyMap<string, bigint> = new Map(
  AGENDA_TEMPLATES.map(({ id }, number) => [id, BigInt(number)]),
);

export function templateNumber(templateId: string): bigint | undefined {
  return NUMBERS.get(templateId);
}

/** What every decision depends on: a change makes all that waits worth another look. */
export const RULES: ReadonlySet<string> = new Set(
  [DsoRules, AmuletRules, ExternalPartyAmuletRules, AnsRules, NameCare, AmuletPriceVote].map(({ id }) => id),
);

/** Keys of names are not negative, those of rounds are: so they stand in one column. It is its own inverse. */
export function roundKey(number: bigint): bigint {
  return -1n - number;
}

const KEY_DIGITS = 15;
const COMMAND_KEYS = 1n << 60n;

/** Keys of those who send commands stand behind all names in that column. It is its own inverse. */
export function commandKey(key: bigint): bigint {
  return key ^ COMMAND_KEYS;
}

export function isCommandKey(other: bigint): boolean {
  return other >= COMMAND_KEYS;
}

/** A contract id is made of hashes already. */
export function contractKey(contractId: ContractId): bigint {
  return BigInt(`0x${contractId.slice(2, 2 + KEY_DIGITS)}`);
}

/** An id ends with a hash of what the contract says; those of one transaction begin alike. */
export function contentKey(contractId: ContractId): bigint {
  return BigInt(`0x${contractId.slice(-KEY_DIGITS)}`);
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
