/**
 * The controllers of each choice, written down a second time from the description of the ledger model
 * (its section 2), and never taken from the contracts' own rules. `Archive` needs every signatory.
 */

import {
  NameCare,
  RenewalPreference,
} from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import {
  Amulet,
  FeaturedAppRight,
  LockedAmulet,
  ValidatorRight,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { DevelopmentFundCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  ValidatorRewardCoupon,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  type SubscriptionData,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { PayloadOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Rows, rows } from "./controller-rows.ts";
import { dsoControllers } from "./dso-controllers.ts";
import { stakeholdersByTable } from "./stakeholder-table.ts";
import { interfaceControllers, tokenControllers } from "./token-controllers.ts";
import { walletControllers } from "./wallet-controllers.ts";

interface Subscribed {
  readonly subscriptionData: SubscriptionData;
}

const dso = (payload: { readonly dso: PartyId }) => [payload.dso];
const actor = (_payload: unknown, argument: { readonly actor: PartyId }) => [argument.actor];
const sv = (_payload: unknown, argument: { readonly sv: PartyId | null }) => [argument.sv];
const reader = (_payload: unknown, argument: { readonly p: PartyId }) => [argument.p];
const receiver = (_payload: unknown, argument: { readonly receiver: PartyId }) => [argument.receiver];
const sender = ({ subscriptionData }: Subscribed) => [subscriptionData.sender];
const subscriptionReceiver = ({ subscriptionData }: Subscribed) => [subscriptionData.receiver];
const senderAndWallet = (
  { subscriptionData }: Subscribed,
  { walletProvider }: { readonly walletProvider: PartyId },
) => [subscriptionData.sender, walletProvider];
const all = ({ subscriptionData }: Subscribed) => [
  subscriptionData.sender,
  subscriptionData.receiver,
  subscriptionData.provider,
];
const dsoAndUser = (rules: { readonly dso: PartyId }, { user }: { readonly user: PartyId }) => [
  rules.dso,
  user,
];
const beneficiary = (coupon: { readonly beneficiary: PartyId }) => [coupon.beneficiary];
const licensed = (license: { readonly validator: PartyId }) => [license.validator];
const subscriber = (preference: { readonly subscriber: PartyId }) => [preference.subscriber];
const ownerAndHolders = ({ amulet, lock }: PayloadOf<typeof LockedAmulet>) => [amulet.owner, ...lock.holders];
const owner = ({ amulet }: PayloadOf<typeof LockedAmulet>) => [amulet.owner];
const dsoOfLocked = ({ amulet }: PayloadOf<typeof LockedAmulet>) => [amulet.dso];

const table: ReadonlyMap<string, Rows> = new Map([
  rows(AnsRules, {
    AnsRules_RequestEntry: (_rules, { user }) => [user],
    AnsRules_CollectInitialEntryPayment: dsoAndUser,
    AnsRules_CollectEntryRenewalPayment: dsoAndUser,
    AnsRules_RejectEntryInitialPayment: dso,
  }),
  rows(AnsEntryContext, {
    AnsEntryContext_Terminate: actor,
    AnsEntryContext_CollectInitialEntryPayment: dso,
    AnsEntryContext_CollectEntryRenewalPayment: dso,
    AnsEntryContext_RejectEntryInitialPayment: dso,
  }),
  rows(AnsEntry, { AnsEntry_Expire: actor, AnsEntry_Renew: (entry) => [entry.user, entry.dso] }),
  rows(SubscriptionRequest, {
    SubscriptionRequest_AcceptAndMakePayment: senderAndWallet,
    SubscriptionRequest_Reject: sender,
    SubscriptionRequest_Withdraw: subscriptionReceiver,
  }),
  rows(SubscriptionInitialPayment, {
    SubscriptionInitialPayment_Collect: all,
    SubscriptionInitialPayment_Reject: subscriptionReceiver,
    SubscriptionInitialPayment_Expire: actor,
  }),
  rows(Subscription, { Subscription_Archive: all }),
  rows(SubscriptionIdleState, {
    SubscriptionIdleState_MakePayment: senderAndWallet,
    SubscriptionIdleState_ExpireSubscription: actor,
    SubscriptionIdleState_CancelSubscription: sender,
  }),
  rows(SubscriptionPayment, {
    SubscriptionPayment_Collect: all,
    SubscriptionPayment_Reject: subscriptionReceiver,
    SubscriptionPayment_Expire: actor,
  }),
  ...walletControllers,
  ...dsoControllers,
  ...tokenControllers,
  rows(Amulet, { Amulet_Expire: dso, Amulet_ExpireV2: dso }),
  rows(LockedAmulet, {
    LockedAmulet_Unlock: ownerAndHolders,
    LockedAmulet_UnlockV2: ownerAndHolders,
    LockedAmulet_OwnerExpireLock: owner,
    LockedAmulet_OwnerExpireLockV2: owner,
    LockedAmulet_ExpireAmulet: dsoOfLocked,
    LockedAmulet_ExpireAmuletV2: dsoOfLocked,
  }),
  rows(ValidatorRight, {
    ValidatorRight_ArchiveAsValidator: (right) => [right.validator],
    ValidatorRight_ArchiveAsUser: (right) => [right.user],
  }),
  rows(FeaturedAppRight, {
    FeaturedAppRight_Withdraw: dso,
    FeaturedAppRight_Cancel: (right) => [right.provider],
  }),
  rows(AppRewardCoupon, { AppRewardCoupon_DsoExpire: dso }),
  rows(ValidatorRewardCoupon, {
    ValidatorRewardCoupon_DsoExpire: dso,
    ValidatorRewardCoupon_ArchiveAsValidator: (coupon, argument) => [coupon.dso, argument.validator],
  }),
  rows(SvRewardCoupon, { SvRewardCoupon_DsoExpire: dso, SvRewardCoupon_ArchiveAsBeneficiary: beneficiary }),
  rows(UnclaimedActivityRecord, { UnclaimedActivityRecord_DsoExpire: dso }),
  rows(DevelopmentFundCoupon, {
    DevelopmentFundCoupon_Withdraw: (coupon) => [coupon.fundManager],
    DevelopmentFundCoupon_Reject: beneficiary,
    DevelopmentFundCoupon_DsoExpire: dso,
  }),
  rows(ValidatorLicense, {
    ValidatorLicense_ReceiveFaucetCoupon: licensed,
    ValidatorLicense_RecordValidatorLivenessActivity: licensed,
    ValidatorLicense_Withdraw: dso,
    ValidatorLicense_Cancel: licensed,
    ValidatorLicense_UpdateMetadata: licensed,
    ValidatorLicense_ReportActive: licensed,
  }),
  rows(ValidatorFaucetCoupon, { ValidatorFaucetCoupon_DsoExpire: dso }),
  rows(ValidatorLivenessActivityRecord, { ValidatorLivenessActivityRecord_DsoExpire: dso }),
  rows(AmuletRules, {
    AmuletRules_Transfer: (_rules, { transfer }) => [
      transfer.sender,
      transfer.provider,
      ...transfer.outputs.map((output) => output.receiver),
      ...transfer.outputs.flatMap(({ lock }) => lock?.holders ?? []),
    ],
    AmuletRules_MiningRound_StartIssuing: dso,
    AmuletRules_MiningRound_Close: dso,
    AmuletRules_MiningRound_Archive: dso,
    AmuletRules_ClaimExpiredRewards: dso,
    AmuletRules_MergeUnclaimedRewards: dso,
    AmuletRules_MergeUnclaimedDevelopmentFundCoupons: dso,
    AmuletRules_AllocateDevelopmentFundCoupon: (_rules, { fundManager }) => [fundManager],
    AmuletRules_ConvertFeaturedAppActivityMarkers: dso,
    AmuletRules_ComputeFees: (_rules, argument) => [argument.sender],
    AmuletRules_AddFutureAmuletConfigSchedule: dso,
    AmuletRules_RemoveFutureAmuletConfigSchedule: dso,
    AmuletRules_UpdateFutureAmuletConfigSchedule: dso,
    AmuletRules_CreateExternalPartySetupProposal: (_rules, { validator }) => [validator],
    AmuletRules_CreateTransferPreapproval: (_rules, argument) => [argument.provider, argument.receiver],
    AmuletRules_BuyMemberTraffic: (_rules, { provider }) => [provider],
    AmuletRules_MergeMemberTrafficContracts: dso,
    AmuletRules_Mint: (rules, argument) => [rules.dso, argument.receiver],
    AmuletRules_DevNet_Tap: receiver,
    AmuletRules_DevNet_FeatureApp: (_rules, { provider }) => [provider],
    AmuletRules_Bootstrap_Rounds: dso,
    AmuletRules_AdvanceOpenMiningRounds: dso,
    AmuletRules_BootstrapExternalPartyConfigState: dso,
    AmuletRules_UpdateExternalPartyConfigStates: dso,
    AmuletRules_Fetch: reader,
    AmuletRules_SetConfig: dso,
    AmuletRules_Amulet_ExpireTransferInstructions: dso,
  }),
  rows(OpenMiningRound, { OpenMiningRound_Fetch: reader }),
  rows(NameCare, {
    NameCare_ReturnRenewalPayment: sv,
    NameCare_AnnounceWithdrawal: sv,
    NameCare_WithdrawRequest: sv,
    NameCare_DiscardWithdrawal: sv,
  }),
  rows(RenewalPreference, { RenewalPreference_Set: subscriber, RenewalPreference_Remove: subscriber }),
]);

const byInterface: ReadonlyMap<string, Rows> = new Map(interfaceControllers);

export function controllersByTable(
  templateId: string,
  choice: string,
  payload: unknown,
  argument: unknown,
): ReadonlySet<PartyId> {
  if (choice === "Archive") return stakeholdersByTable(templateId, payload).signatories;
  const found = findRow(templateId, choice);
  if (found === undefined)
    throw new Error(`the table of controllers has no row for ${choice} on ${templateId}`);
  return new Set(found(payload, argument).filter((party) => party !== null));
}

export function hasControllers(templateId: string, choice: string): boolean {
  return findRow(templateId, choice) !== undefined;
}

function findRow(templateId: string, choice: string) {
  return table.get(templateId)?.get(choice) ?? byInterface.get(templateId)?.get(choice);
}
