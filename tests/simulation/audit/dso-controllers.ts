/** Who must have agreed to a choice of the SVs' rules (section 2.8 of the model). */
import {
  Confirmation,
  DsoBootstrap,
  DsoRules,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { rows } from "./controller-rows.ts";

const dso = (payload: { readonly dso: PartyId }) => [payload.dso];
const sv = (_payload: unknown, argument: { readonly sv: PartyId | null }) => [argument.sv];

export const dsoControllers = [
  rows(DsoBootstrap, { DsoBootstrap_Bootstrap: dso }),
  rows(Confirmation, { Confirmation_Expire: dso }),
  rows(DsoRules, {
    DsoRules_AddSv: dso,
    DsoRules_OffboardSv: dso,
    DsoRules_GrantFeaturedAppRight: dso,
    DsoRules_RevokeFeaturedAppRight: dso,
    DsoRules_SetConfig: dso,
    DsoRules_UpdateSvRewardWeight: dso,
    DsoRules_CreateExternalPartyAmuletRules: dso,
    DsoRules_CreateUnallocatedUnclaimedActivityRecord: dso,
    DsoRules_ConfirmAction: (_rules, { confirmer }) => [confirmer],
    DsoRules_ExecuteConfirmedAction: sv,
    DsoRules_ExpireStaleConfirmation: sv,
    DsoRules_RequestVote: (_rules, { requester }) => [requester],
    DsoRules_CastVote: (_rules, { vote }) => [vote.sv],
    DsoRules_CloseVoteRequest: sv,
    DsoRules_UpdateAmuletPriceVote: sv,
    DsoRules_GarbageCollectAmuletPriceVotes: sv,
    DsoRules_AdvanceOpenMiningRounds: sv,
    DsoRules_UpdateExternalPartyConfigStates: sv,
    DsoRules_MiningRound_Close: sv,
    DsoRules_ReceiveSvRewardCoupon: sv,
    DsoRules_MergeSvRewardState: sv,
    DsoRules_ClaimExpiredRewards: sv,
    DsoRules_MergeUnclaimedRewards: sv,
    DsoRules_MergeUnclaimedDevelopmentFundCoupons: sv,
    DsoRules_ExpireDevelopmentFundCoupon: sv,
    DsoRules_AllocateUnallocatedUnclaimedActivityRecord: sv,
    DsoRules_ExpireUnallocatedUnclaimedActivityRecord: sv,
    DsoRules_ExpireUnclaimedActivityRecord: sv,
    DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers: sv,
    DsoRules_OnboardValidator: (_rules, { sponsor }) => [sponsor],
    DsoRules_MergeValidatorLicense: sv,
    DsoRules_MergeMemberTrafficContracts: sv,
    DsoRules_ExpireTransferPreapproval: sv,
    DsoRules_CollectEntryRenewalPayment: sv,
    DsoRules_ExpireAnsEntry: sv,
    DsoRules_ExpireSubscription: sv,
    DsoRules_TerminateSubscription: sv,
    DsoRules_Amulet_ExpireV2: sv,
    DsoRules_LockedAmulet_ExpireAmuletV2: sv,
  }),
] as const;
