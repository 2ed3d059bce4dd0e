import type { LoadedPackage } from "../../engine/catalogue.ts";
import { amuletPackage } from "../packages.ts";
import { amulet as coin } from "./coin/amulet.ts";
import { lockedAmulet } from "./coin/locked-amulet.ts";
import { appRewardCoupon } from "./rewards/app-reward-coupon.ts";
import { developmentFundCoupon, unclaimedDevelopmentFundCoupon } from "./rewards/development-fund-coupons.ts";
import { featuredAppActivityMarker } from "./rewards/featured-app-activity-marker.ts";
import { featuredAppRight } from "./rewards/featured-app-right.ts";
import { svRewardCoupon } from "./rewards/sv-reward-coupon.ts";
import { unclaimedActivityRecord } from "./rewards/unclaimed-activity-record.ts";
import { unclaimedReward } from "./rewards/unclaimed-reward.ts";
import {
  validatorFaucetCoupon,
  validatorLivenessActivityRecord,
} from "./rewards/validator-activity-records.ts";
import { validatorLicense } from "./rewards/validator-license.ts";
import { validatorRewardCoupon } from "./rewards/validator-reward-coupon.ts";
import { validatorRight } from "./rewards/validator-right.ts";
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from "./rounds/mining-rounds.ts";
import { amuletRules } from "./rules/amulet-rules.ts";
import { externalPartyConfigState } from "./rules/external-party-config-state.ts";
import { amuletAllocation } from "./tokens/amulet-allocation.ts";
import { amuletTransferInstruction } from "./tokens/amulet-transfer-instruction.ts";
import { externalPartyAmuletRules } from "./tokens/external-party-amulet-rules.ts";
import { memberTraffic } from "./traffic/member-traffic.ts";
import { externalPartySetupProposal } from "./transfers/external-party-setup-proposal.ts";
import { transferCommand, transferCommandCounter } from "./transfers/transfer-command.ts";
import { transferPreapproval } from "./transfers/transfer-preapproval.ts";

export const amulet: LoadedPackage = {
  package: amuletPackage,
  templates: [
    coin,
    lockedAmulet,
    validatorRight,
    featuredAppRight,
    featuredAppActivityMarker,
    appRewardCoupon,
    validatorRewardCoupon,
    svRewardCoupon,
    unclaimedReward,
    unclaimedActivityRecord,
    unclaimedDevelopmentFundCoupon,
    developmentFundCoupon,
    validatorLicense,
    validatorFaucetCoupon,
    validatorLivenessActivityRecord,
    amuletRules,
    openMiningRound,
    summarizingMiningRound,
    issuingMiningRound,
    closedMiningRound,
    externalPartyAmuletRules,
    externalPartyConfigState,
    memberTraffic,
    externalPartySetupProposal,
    transferPreapproval,
    amuletTransferInstruction,
    amuletAllocation,
    transferCommand,
    transferCommandCounter,
  ],
  interfaces: [],
};
