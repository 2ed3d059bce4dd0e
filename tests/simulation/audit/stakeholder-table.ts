/**
 * I15: who signs and who observes each template, written down a second time from the description of the ledger
 * model (its section 2), and never taken from the contracts' own rules.
 */

import {
  NameCare,
  RenewalPreference,
  RequestWithdrawal,
} from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import {
  Amulet,
  FeaturedAppActivityMarker,
  FeaturedAppRight,
  LockedAmulet,
  ValidatorRight,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommand,
  TransferCommandCounter,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { MemberTraffic } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/member-traffic.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { AmuletConversionRateFeed } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/amulet-conversion-rate-feed.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  BootstrapExternalPartyConfigStateInstruction,
  Confirmation,
  DsoBootstrap,
  DsoRules,
  UnallocatedUnclaimedActivityRecord,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { ElectionRequest } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/retired-choices.ts";
import {
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-onboarding.ts";
import {
  AmuletPriceVote,
  SvNodeState,
  SvRewardState,
  SvStatusReport,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { VoteRequest } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/vote-request.ts";
import {
  UsedSecret,
  ValidatorOnboarding,
} from "../../../packages/ledger/src/contracts/splice-validator-lifecycle/declarations/validator-onboarding.ts";
import { WalletAppInstall } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import {
  MintingDelegation,
  MintingDelegationProposal,
} from "../../../packages/ledger/src/contracts/splice-wallet/declarations/minting-delegation.ts";
import {
  BuyTrafficRequest,
  ValidatorTopUpState,
} from "../../../packages/ledger/src/contracts/splice-wallet/declarations/traffic-purchases.ts";
import {
  AcceptedTransferOffer,
  TransferOffer,
} from "../../../packages/ledger/src/contracts/splice-wallet/declarations/transfer-offer.ts";
import { TransferPreapprovalProposal } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/transfer-preapproval-proposal.ts";
import {
  AcceptedAppPayment,
  AppPaymentRequest,
  TerminatedAppPayment,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/app-payments.ts";
import {
  Subscription,
  type SubscriptionData,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";

type Parties = readonly PartyId[];

interface Row {
  readonly template: AnyTemplateDeclaration;
  readonly signatories: (payload: unknown) => Parties;
  readonly observers: (payload: unknown) => Parties;
}

function row<T extends AnyTemplateDeclaration>(
  template: T,
  signatories: (payload: PayloadOf<T>) => Parties,
  observers: (payload: PayloadOf<T>) => Parties = () => [],
): Row {
  return {
    template,
    signatories: (payload) => signatories(payload as PayloadOf<T>),
    observers: (payload) => observers(payload as PayloadOf<T>),
  };
}

const dso = (payload: { readonly dso: PartyId }) => [payload.dso];
const threeSign = ({ subscriptionData }: { readonly subscriptionData: SubscriptionData }) => [
  subscriptionData.sender,
  subscriptionData.receiver,
  subscriptionData.provider,
];

const rows: readonly Row[] = [
  row(AnsRules, dso),
  row(AnsEntryContext, (context) => [context.dso, context.user]),
  row(AnsEntry, (entry) => [entry.user, entry.dso]),
  row(SubscriptionRequest, threeSign),
  row(SubscriptionInitialPayment, threeSign),
  row(Subscription, threeSign),
  row(SubscriptionIdleState, threeSign),
  row(SubscriptionPayment, threeSign),
  row(TerminatedSubscription, threeSign),
  row(WalletAppInstall, (install) => [install.endUserParty, install.validatorParty]),
  row(AppPaymentRequest, ({ sender, provider, receiverAmounts }) => [
    sender,
    provider,
    ...receiverAmounts.map(({ receiver }) => receiver),
  ]),
  row(AcceptedAppPayment, ({ sender, provider, amuletReceiverAmounts }) => [
    sender,
    provider,
    ...amuletReceiverAmounts.map(({ receiver }) => receiver),
  ]),
  row(TerminatedAppPayment, ({ sender, provider, receivers }) => [sender, provider, ...receivers]),
  row(
    TransferOffer,
    ({ sender }) => [sender],
    ({ receiver }) => [receiver],
  ),
  row(AcceptedTransferOffer, ({ sender, receiver }) => [sender, receiver]),
  row(BuyTrafficRequest, ({ endUserParty }) => [endUserParty]),
  row(ValidatorTopUpState, ({ validator }) => [validator]),
  row(
    TransferPreapprovalProposal,
    ({ receiver }) => [receiver],
    ({ provider }) => [provider],
  ),
  row(TransferPreapproval, (approval) => [approval.receiver, approval.provider, approval.dso]),
  row(
    ExternalPartySetupProposal,
    (proposal) => [proposal.validator, proposal.dso],
    (proposal) => [proposal.user],
  ),
  row(
    MintingDelegationProposal,
    ({ delegation }) => [delegation.beneficiary],
    ({ delegation }) => [delegation.delegate],
  ),
  row(MintingDelegation, ({ beneficiary, delegate }) => [beneficiary, delegate]),
  row(ValidatorOnboarding, ({ sv }) => [sv]),
  row(UsedSecret, ({ sv }) => [sv]),
  row(Amulet, (coin) => [coin.dso, coin.owner]),
  row(LockedAmulet, ({ amulet, lock }) => [...lock.holders, amulet.dso, amulet.owner]),
  row(ValidatorRight, (right) => [right.user, right.validator]),
  row(FeaturedAppRight, dso, (right) => [right.provider]),
  row(FeaturedAppActivityMarker, dso, (marker) => [marker.provider, marker.beneficiary]),
  row(AppRewardCoupon, dso, ({ provider, beneficiary }) =>
    beneficiary === null ? [provider] : [provider, beneficiary],
  ),
  row(ValidatorRewardCoupon, dso, (coupon) => [coupon.user]),
  row(SvRewardCoupon, dso, (coupon) => [coupon.beneficiary, coupon.sv]),
  row(UnclaimedReward, dso),
  row(UnclaimedActivityRecord, dso, (record) => [record.beneficiary]),
  row(UnclaimedDevelopmentFundCoupon, dso),
  row(DevelopmentFundCoupon, dso, (coupon) => [coupon.beneficiary, coupon.fundManager]),
  row(ValidatorLicense, dso, (license) => [license.validator]),
  row(ValidatorFaucetCoupon, (coupon) => [coupon.dso, coupon.validator]),
  row(ValidatorLivenessActivityRecord, dso, (record) => [record.validator]),
  row(AmuletRules, dso),
  row(ExternalPartyAmuletRules, dso),
  row(
    AmuletTransferInstruction,
    ({ transfer }) => [transfer.instrumentId.admin, transfer.sender],
    ({ transfer }) => [transfer.receiver],
  ),
  row(
    AmuletAllocation,
    ({ allocation: { transferLeg } }) => [transferLeg.instrumentId.admin, transferLeg.sender],
    ({ allocation }) => [allocation.settlement.executor],
  ),
  row(
    TransferCommand,
    (command) => [command.sender, command.dso],
    (command) => [command.delegate],
  ),
  row(TransferCommandCounter, dso, (counter) => [counter.sender]),
  row(
    AmuletConversionRateFeed,
    (feed) => [feed.publisher],
    (feed) => [feed.dso],
  ),
  row(BootstrapExternalPartyConfigStateInstruction, dso),
  row(ElectionRequest, dso),
  row(SvOnboardingRequest, dso, (request) => [request.candidateParty]),
  row(SvOnboardingConfirmed, dso, (confirmed) => [confirmed.svParty]),
  row(ExternalPartyConfigState, dso),
  row(MemberTraffic, dso),
  row(OpenMiningRound, dso),
  row(SummarizingMiningRound, dso),
  row(IssuingMiningRound, dso),
  row(ClosedMiningRound, dso),
  row(DsoRules, dso),
  row(DsoBootstrap, dso, (bootstrap) => [bootstrap.sv1Party]),
  row(Confirmation, dso),
  row(AmuletPriceVote, dso),
  row(SvRewardState, dso),
  row(SvNodeState, dso),
  row(SvStatusReport, dso),
  row(UnallocatedUnclaimedActivityRecord, dso),
  row(VoteRequest, dso),
  row(NameCare, dso),
  row(RequestWithdrawal, dso, ({ user }) => [user]),
  row(
    RenewalPreference,
    (preference) => [preference.subscriber],
    (preference) => [preference.walletProvider],
  ),
];

const table: ReadonlyMap<string, Row> = new Map(rows.map((entry) => [entry.template.id, entry]));

export interface Stakeholders {
  readonly signatories: ReadonlySet<PartyId>;
  /** Without those who sign. */
  readonly observers: ReadonlySet<PartyId>;
}

export function stakeholdersByTable(templateId: string, payload: unknown): Stakeholders {
  const found = table.get(templateId);
  if (found === undefined) throw new Error(`the table of stakeholders has no row for ${templateId}`);
  const signatories = new Set(found.signatories(payload));
  const observers = new Set(found.observers(payload).filter((party) => !signatories.has(party)));
  return { signatories, observers };
}

export function hasStakeholders(templateId: string): boolean {
  return table.has(templateId);
}
