/**
 * I15: who signs and who observes each template, written down a second time from the description of the ledger
 * model (its section 2), and never taken from the contracts' own rules.
 */

import { FeaturedAppRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletConversionRateFeed } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/amulet-conversion-rate-feed.ts";
import {
  BootstrapExternalPartyConfigStateInstruction,
  DsoBootstrap,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { ElectionRequest } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/retired-choices.ts";
import {
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-onboarding.ts";
import { SvStatusReport } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  Amulet,
  AmuletAllocation,
  AmuletPriceVote,
  AmuletRules,
  AmuletTransferInstruction,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  AppRewardCoupon,
  BuyTrafficRequest,
  ClosedMiningRound,
  Confirmation,
  DevelopmentFundCoupon,
  DsoRules,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  ExternalPartySetupProposal,
  FeaturedAppActivityMarker,
  IssuingMiningRound,
  LockedAmulet,
  MemberTraffic,
  MintingDelegation,
  MintingDelegationProposal,
  NameCare,
  NameCareV2,
  OpenMiningRound,
  type PartyId,
  type PayloadOf,
  PrimaryName,
  RenewalPreference,
  RequestWithdrawal,
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SummarizingMiningRound,
  SvNodeState,
  SvRewardCoupon,
  SvRewardState,
  TakeUpRequest,
  TerminatedAppPayment,
  TerminatedSubscription,
  TransferCommand,
  TransferCommandCounter,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  UsedSecret,
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
  ValidatorOnboarding,
  ValidatorRewardCoupon,
  ValidatorRight,
  ValidatorTopUpState,
  VoteRequest,
  WalletAppInstall,
} from "../../../packages/ledger/src/index.ts";
import { inSubscription, of } from "./controller-rows.ts";

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

const dso = of("dso");
const threeSign = inSubscription("sender", "receiver", "provider");

const rows: readonly Row[] = [
  row(AnsRules, dso),
  row(AnsEntryContext, of("dso", "user")),
  row(AnsEntry, of("user", "dso")),
  row(SubscriptionRequest, threeSign),
  row(SubscriptionInitialPayment, threeSign),
  row(Subscription, threeSign),
  row(SubscriptionIdleState, threeSign),
  row(SubscriptionPayment, threeSign),
  row(TerminatedSubscription, threeSign),
  row(WalletAppInstall, of("endUserParty", "validatorParty")),
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
  row(TransferOffer, of("sender"), of("receiver")),
  row(AcceptedTransferOffer, of("sender", "receiver")),
  row(BuyTrafficRequest, of("endUserParty")),
  row(ValidatorTopUpState, of("validator")),
  row(TransferPreapprovalProposal, of("receiver"), of("provider")),
  row(TransferPreapproval, of("receiver", "provider", "dso")),
  row(ExternalPartySetupProposal, of("validator", "dso"), of("user")),
  row(
    MintingDelegationProposal,
    ({ delegation }) => [delegation.beneficiary],
    ({ delegation }) => [delegation.delegate],
  ),
  row(MintingDelegation, of("beneficiary", "delegate")),
  row(ValidatorOnboarding, of("sv")),
  row(UsedSecret, of("sv")),
  row(Amulet, of("dso", "owner")),
  row(LockedAmulet, ({ amulet, lock }) => [...lock.holders, amulet.dso, amulet.owner]),
  row(ValidatorRight, of("user", "validator")),
  row(FeaturedAppRight, dso, of("provider")),
  row(FeaturedAppActivityMarker, dso, of("provider", "beneficiary")),
  row(AppRewardCoupon, dso, ({ provider, beneficiary }) =>
    beneficiary === null ? [provider] : [provider, beneficiary],
  ),
  row(ValidatorRewardCoupon, dso, of("user")),
  row(SvRewardCoupon, dso, of("beneficiary", "sv")),
  row(UnclaimedReward, dso),
  row(UnclaimedActivityRecord, dso, of("beneficiary")),
  row(UnclaimedDevelopmentFundCoupon, dso),
  row(DevelopmentFundCoupon, dso, of("beneficiary", "fundManager")),
  row(ValidatorLicense, dso, of("validator")),
  row(ValidatorFaucetCoupon, of("dso", "validator")),
  row(ValidatorLivenessActivityRecord, dso, of("validator")),
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
  row(TransferCommand, of("sender", "dso"), of("delegate")),
  row(TransferCommandCounter, dso, of("sender")),
  row(AmuletConversionRateFeed, of("publisher"), of("dso")),
  row(BootstrapExternalPartyConfigStateInstruction, dso),
  row(ElectionRequest, dso),
  row(SvOnboardingRequest, dso, of("candidateParty")),
  row(SvOnboardingConfirmed, dso, of("svParty")),
  row(ExternalPartyConfigState, dso),
  row(MemberTraffic, dso),
  row(OpenMiningRound, dso),
  row(SummarizingMiningRound, dso),
  row(IssuingMiningRound, dso),
  row(ClosedMiningRound, dso),
  row(DsoRules, dso),
  row(DsoBootstrap, dso, of("sv1Party")),
  row(Confirmation, dso),
  row(AmuletPriceVote, dso),
  row(SvRewardState, dso),
  row(SvNodeState, dso),
  row(SvStatusReport, dso),
  row(UnallocatedUnclaimedActivityRecord, dso),
  row(VoteRequest, dso),
  row(NameCare, dso),
  row(NameCareV2, dso),
  row(TakeUpRequest, of("user"), dso),
  row(PrimaryName, of("user"), dso),
  row(RequestWithdrawal, dso, of("user")),
  row(RenewalPreference, of("subscriber"), of("walletProvider")),
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
