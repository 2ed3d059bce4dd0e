import type { LoadedPackage } from "../../engine/catalogue.ts";
import { amuletPackage } from "../packages.ts";
import { amulet as coin } from "./amulet.ts";
import { amuletAllocation } from "./amulet-allocation.ts";
import { amuletRules } from "./amulet-rules.ts";
import { amuletTransferInstruction } from "./amulet-transfer-instruction.ts";
import { appRewardCoupon } from "./app-reward-coupon.ts";
import { developmentFundCoupon, unclaimedDevelopmentFundCoupon } from "./development-fund-coupons.ts";
import { externalPartyAmuletRules } from "./external-party-amulet-rules.ts";
import { externalPartyConfigState } from "./external-party-config-state.ts";
import { externalPartySetupProposal } from "./external-party-setup-proposal.ts";
import { featuredAppActivityMarker } from "./featured-app-activity-marker.ts";
import { featuredAppRight } from "./featured-app-right.ts";
import { lockedAmulet } from "./locked-amulet.ts";
import { memberTraffic } from "./member-traffic.ts";
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from "./mining-rounds.ts";
import { svRewardCoupon } from "./sv-reward-coupon.ts";
import { transferCommand, transferCommandCounter } from "./transfer-command.ts";
import { transferPreapproval } from "./transfer-preapproval.ts";
import { unclaimedActivityRecord } from "./unclaimed-activity-record.ts";
import { unclaimedReward } from "./unclaimed-reward.ts";
import { validatorFaucetCoupon, validatorLivenessActivityRecord } from "./validator-activity-records.ts";
import { validatorLicense } from "./validator-license.ts";
import { validatorRewardCoupon } from "./validator-reward-coupon.ts";
import { validatorRight } from "./validator-right.ts";

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
