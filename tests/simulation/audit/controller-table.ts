/**
 * The controllers of each choice, written down a second time from the description of the ledger model
 * (its section 2), and never taken from the contracts' own rules. `Archive` needs every signatory.
 */

import { FeaturedAppRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import type { SubscriptionData } from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import {
  Amulet,
  AmuletRules,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  AppRewardCoupon,
  DevelopmentFundCoupon,
  LockedAmulet,
  NameCare,
  NameCareV2,
  OpenMiningRound,
  type PartyId,
  PrimaryName,
  RenewalPreference,
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SvRewardCoupon,
  TakeUpRequest,
  UnclaimedActivityRecord,
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
} from "../../../packages/ledger/src/index.ts";
import { everyChoice, given, inSubscription, of, type Rows, rows } from "./controller-rows.ts";
import { dsoControllers } from "./dso-controllers.ts";
import { stakeholdersByTable } from "./stakeholder-table.ts";
import { interfaceControllers, tokenControllers } from "./token-controllers.ts";
import { walletControllers } from "./wallet-controllers.ts";

const dso = of("dso");
const actor = given("actor");
const licensed = of("validator");
const all = inSubscription("sender", "receiver", "provider");
const senderAndWallet = (
  { subscriptionData }: { readonly subscriptionData: SubscriptionData },
  { walletProvider }: { readonly walletProvider: PartyId },
) => [subscriptionData.sender, walletProvider];
const dsoAndUser = (rules: AnsRules, { user }: { readonly user: PartyId }) => [rules.dso, user];
const ownerAndHolders = ({ amulet, lock }: LockedAmulet) => [amulet.owner, ...lock.holders];
const owner = ({ amulet }: LockedAmulet) => [amulet.owner];
const dsoOfLocked = ({ amulet }: LockedAmulet) => [amulet.dso];

const table: ReadonlyMap<string, Rows> = new Map([
  rows(AnsRules, {
    AnsRules_RequestEntry: given("user"),
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
  rows(AnsEntry, { AnsEntry_Expire: actor, AnsEntry_Renew: of("user", "dso") }),
  rows(SubscriptionRequest, {
    SubscriptionRequest_AcceptAndMakePayment: senderAndWallet,
    SubscriptionRequest_Reject: inSubscription("sender"),
    SubscriptionRequest_Withdraw: inSubscription("receiver"),
  }),
  rows(SubscriptionInitialPayment, {
    SubscriptionInitialPayment_Collect: all,
    SubscriptionInitialPayment_Reject: inSubscription("receiver"),
    SubscriptionInitialPayment_Expire: actor,
  }),
  rows(Subscription, { Subscription_Archive: all }),
  rows(SubscriptionIdleState, {
    SubscriptionIdleState_MakePayment: senderAndWallet,
    SubscriptionIdleState_ExpireSubscription: actor,
    SubscriptionIdleState_CancelSubscription: inSubscription("sender"),
  }),
  rows(SubscriptionPayment, {
    SubscriptionPayment_Collect: all,
    SubscriptionPayment_Reject: inSubscription("receiver"),
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
    ValidatorRight_ArchiveAsValidator: of("validator"),
    ValidatorRight_ArchiveAsUser: of("user"),
  }),
  rows(FeaturedAppRight, {
    FeaturedAppRight_Withdraw: dso,
    FeaturedAppRight_Cancel: of("provider"),
  }),
  rows(AppRewardCoupon, { AppRewardCoupon_DsoExpire: dso }),
  rows(ValidatorRewardCoupon, {
    ValidatorRewardCoupon_DsoExpire: dso,
    ValidatorRewardCoupon_ArchiveAsValidator: (coupon, argument) => [coupon.dso, argument.validator],
  }),
  rows(SvRewardCoupon, {
    SvRewardCoupon_DsoExpire: dso,
    SvRewardCoupon_ArchiveAsBeneficiary: of("beneficiary"),
  }),
  rows(UnclaimedActivityRecord, { UnclaimedActivityRecord_DsoExpire: dso }),
  rows(DevelopmentFundCoupon, {
    DevelopmentFundCoupon_Withdraw: of("fundManager"),
    DevelopmentFundCoupon_Reject: of("beneficiary"),
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
  everyChoice(AmuletRules, dso, {
    AmuletRules_Transfer: (_rules, { transfer }) => [
      transfer.sender,
      transfer.provider,
      ...transfer.outputs.map((output) => output.receiver),
      ...transfer.outputs.flatMap(({ lock }) => lock?.holders ?? []),
    ],
    AmuletRules_AllocateDevelopmentFundCoupon: given("fundManager"),
    AmuletRules_ComputeFees: given("sender"),
    AmuletRules_CreateExternalPartySetupProposal: given("validator"),
    AmuletRules_CreateTransferPreapproval: given("provider", "receiver"),
    AmuletRules_BuyMemberTraffic: given("provider"),
    AmuletRules_Mint: (rules, argument) => [rules.dso, argument.receiver],
    AmuletRules_DevNet_Tap: given("receiver"),
    AmuletRules_DevNet_FeatureApp: given("provider"),
    AmuletRules_Fetch: given("p"),
  }),
  rows(OpenMiningRound, { OpenMiningRound_Fetch: given("p") }),
  everyChoice(NameCare, given("sv")),
  everyChoice(NameCareV2, given("sv")),
  rows(TakeUpRequest, {
    TakeUpRequest_Accept: dso,
    TakeUpRequest_Discard: dso,
    TakeUpRequest_Withdraw: of("user"),
  }),
  everyChoice(RenewalPreference, of("subscriber")),
  everyChoice(PrimaryName, of("user")),
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
  return table.get(templateId)?.[choice] ?? byInterface.get(templateId)?.[choice];
}
