import { describe, expect, test } from "vitest";
import { type EconomyRun, simulateEconomy } from "./economy/simulate-economy.ts";

/** They see, together, all that is worth seeing. */
const FIXED_SEEDS = [4, 12];
const ROUNDS = 40;

const given = process.env["CALLSIGN_SEED"];
const rounds = Number(process.env["CALLSIGN_ROUNDS"] ?? ROUNDS);

if (given !== undefined) {
  test(`every invariant holds in ${rounds} rounds from seed ${given}`, { timeout: 10 * 60_000 }, () => {
    simulateEconomy(Number(given), rounds);
  });
} else {
  describe("every invariant holds after every entry, scan's rewards are those collected, nothing is left stuck", () => {
    const runs = new Map<number, EconomyRun>();
    const runOf = (seed: number): EconomyRun => {
      const run = runs.get(seed) ?? simulateEconomy(seed, ROUNDS);
      runs.set(seed, run);
      return run;
    };

    test.each(FIXED_SEEDS)(`in ${ROUNDS} rounds from seed %i`, (seed) => {
      runOf(seed);
    });

    test("the fixed seeds together cover every choice and error listed below", () => {
      const all = FIXED_SEEDS.map(runOf);
      const seen = new Set(all.flatMap((run) => [...run.seen.keys()]));
      expect(WORTH_SEEING.filter((what) => !seen.has(what))).toEqual([]);
      const minted = new Set(all.flatMap((run) => [...run.minted]));
      expect([...minted].sort()).toEqual(["activity", "app", "fund", "records", "sv", "validator"]);
    });
  });
}

const WORTH_SEEING: readonly string[] = [
  "AcceptedAppPayment_Collect",
  "AcceptedAppPayment_Expire",
  "AcceptedAppPayment_Reject",
  "AcceptedTransferOffer_Complete",
  "AcceptedTransferOffer_Expire",
  "AllocationFactory_Allocate",
  "Allocation_Cancel",
  "Allocation_ExecuteTransfer",
  "Allocation_Withdraw",
  "AmuletAllocation_DsoExpire",
  "AmuletRules_AllocateDevelopmentFundCoupon",
  "AmuletRules_BuyMemberTraffic",
  "AmuletRules_ConvertFeaturedAppActivityMarkers",
  "AmuletRules_CreateExternalPartySetupProposal",
  "AmuletRules_CreateTransferPreapproval",
  "AmuletRules_DevNet_FeatureApp",
  "AmuletRules_DevNet_Tap",
  "AmuletRules_MergeMemberTrafficContracts",
  "AmuletRules_MergeUnclaimedDevelopmentFundCoupons",
  "AmuletRules_MergeUnclaimedRewards",
  "AmuletRules_MiningRound_Archive",
  "AmuletRules_MiningRound_Close",
  "AmuletRules_MiningRound_StartIssuing",
  "AmuletRules_SetConfig",
  "AmuletRules_UpdateExternalPartyConfigStates",
  "AnsRules_CollectEntryRenewalPayment",
  "AnsRules_CollectInitialEntryPayment",
  "AnsRules_RejectEntryInitialPayment",
  "AppRewardCoupon_DsoExpire",
  "BuyTrafficRequest_Complete",
  "Confirmation_Expire",
  "DevelopmentFundCoupon_DsoExpire",
  "DsoRules_AllocateUnallocatedUnclaimedActivityRecord",
  "DsoRules_ExpireUnallocatedUnclaimedActivityRecord",
  "DsoRules_ReceiveSvRewardCoupon",
  "DsoRules_UpdateAmuletPriceVote",
  "ExternalPartySetupProposal_Accept",
  "FeaturedAppRight_Cancel",
  "FeaturedAppRight_CreateActivityMarker",
  "LockedAmulet_OwnerExpireLockV2",
  "SvRewardCoupon_DsoExpire",
  "TransferFactory_Transfer",
  "TransferInstruction_Accept",
  "TransferInstruction_Reject",
  "TransferInstruction_Update",
  "TransferInstruction_Withdraw",
  "TransferPreapproval_Cancel",
  "TransferPreapproval_Expire",
  "TransferPreapproval_Renew",
  "TransferPreapproval_Send",
  "TransferPreapproval_SendV2",
  "UnclaimedActivityRecord_DsoExpire",
  "ValidatorLivenessActivityRecord_DsoExpire",
  "ValidatorRewardCoupon_ArchiveAsValidator",
  "ValidatorRewardCoupon_DsoExpire",
  "WalletAppInstall_FeaturedAppRights_SelfGrant",
];
