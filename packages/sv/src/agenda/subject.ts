/** What an SV looks at as a whole, to see what is to be done about it. */
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  AnsEntry,
  ClosedMiningRound,
  Confirmation,
  DevelopmentFundCoupon,
  ExternalPartyConfigState,
  FeaturedAppActivityMarker,
  IssuingMiningRound,
  MemberTraffic,
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
import { commandKey, isCommandKey, roundKey } from "./agenda-row.ts";
import type { AgendaRow } from "./agenda-rows.ts";

export type Subject =
  /** Everything paid for one name: first payments, renewals, confirmations. The key is that of the name. */
  | { readonly kind: "name"; readonly key: bigint }
  /** One contract that is to go; the key is its row's. */
  | { readonly kind: "contract"; readonly key: bigint }
  /** A round that is no longer open, and its coupons; the key is its number. */
  | { readonly kind: "past-round"; readonly key: bigint }
  /** A request that waits for its user's answer, and the announcements of its withdrawal; the key is its id's. */
  | { readonly kind: "request"; readonly key: bigint }
  /** What piles up: rewards that nobody claimed, what the development fund has left, markers of apps' activity. */
  | { readonly kind: "unclaimed-rewards" | "fund-coupons" | "markers"; readonly key: 0n }
  /** And by key: a member's traffic, the licenses of a validator, the reward states of an SV. */
  | { readonly kind: "traffic" | "licenses" | "reward-states"; readonly key: bigint }
  /** The commands of a party that signs outside; the key is the party's. */
  | { readonly kind: "commands"; readonly key: bigint }
  /** Coin that its holding fees have eaten up. */
  | { readonly kind: "coins"; readonly key: 0n }
  /** The open rounds, the configuration states that follow them, and what SVs receive for them. */
  | { readonly kind: "rounds"; readonly key: 0n };

export const ROUNDS: Subject = { kind: "rounds", key: 0n };

export const COINS: Subject = { kind: "coins", key: 0n };
export const MARKERS: Subject = { kind: "markers", key: 0n };

export function subjectId({ kind, key }: Subject): string {
  return `${kind} ${key}`;
}

/** What is worth a look when the contract comes, goes or falls due. */
export function subjectsOf({ template, key, other, created }: AgendaRow): readonly Subject[] {
  const contract: Subject = { kind: "contract", key: created };
  switch (template) {
    case SubscriptionInitialPayment:
    case SubscriptionPayment:
      return [{ kind: "name", key }];
    case AnsEntry:
      return [{ kind: "name", key }, contract];
    case Confirmation:
      return other === null ? [contract] : [subjectOfAction(other), contract];
    case SubscriptionIdleState:
    case TerminatedSubscription:
    case VoteRequest:
    case TransferPreapproval:
    case UnclaimedActivityRecord:
    case DevelopmentFundCoupon:
    case AmuletTransferInstruction:
    case AmuletAllocation:
      return [contract];
    case TransferCommand:
    case TransferCommandCounter:
      return [{ kind: "commands", key }];
    case SubscriptionRequest:
    case RequestWithdrawal:
      return [{ kind: "request", key }];
    case SummarizingMiningRound:
    case IssuingMiningRound:
    case ClosedMiningRound:
      return [{ kind: "past-round", key }];
    case UnclaimedReward:
      return [{ kind: "unclaimed-rewards", key: 0n }];
    case UnallocatedUnclaimedActivityRecord:
      return [{ kind: "unclaimed-rewards", key: 0n }, contract];
    case UnclaimedDevelopmentFundCoupon:
      return [{ kind: "fund-coupons", key: 0n }];
    case MemberTraffic:
      return [{ kind: "traffic", key }];
    case ValidatorLicense:
      return [{ kind: "licenses", key }];
    case FeaturedAppActivityMarker:
      return [MARKERS];
    case ExternalPartyConfigState:
      return [ROUNDS, COINS];
    case SvRewardState:
      return [ROUNDS, { kind: "reward-states", key }];
    default:
      return [];
  }
}

function subjectOfAction(key: bigint): Subject {
  if (isCommandKey(key)) return { kind: "commands", key: commandKey(key) };
  return key < 0n ? { kind: "past-round", key: roundKey(key) } : { kind: "name", key };
}
