/**
 * The configurations that AmuletRules accepts, since its choices rely on them. Every fee on transfers must be zero.
 * A holding fee of zero passes, although coin expiry then aborts. Package versions are not checked.
 */
import { add, ONE } from "../../../values/decimal.ts";
import type { AmuletConfig, IssuanceConfig, TransferConfig } from "../declarations/amulet-config.ts";
import { DEFAULT_VALIDATOR_FAUCET_CAP } from "../rounds/issuance.ts";
import { isValidSchedule } from "../rounds/schedule.ts";

export function isValidAmuletConfig(config: AmuletConfig): boolean {
  const { transferConfig, decentralizedSynchronizer: synchronizer, transferPreapprovalFee } = config;
  return (
    isValidTransferConfig(transferConfig) &&
    isValidSchedule(config.issuanceCurve, isValidIssuanceConfig) &&
    synchronizer.requiredSynchronizers.map.some(([id]) => id === synchronizer.activeSynchronizer) &&
    config.tickDuration.microseconds > 0n &&
    (transferPreapprovalFee === null || transferPreapprovalFee >= 0n) &&
    // Two fields for one amount, from before and after markers; they may not drift apart.
    config.featuredAppActivityMarkerAmount === transferConfig.extraFeaturedAppRewardAmount
  );
}

function isValidTransferConfig(config: TransferConfig): boolean {
  return (
    config.createFee.fee === 0n &&
    config.lockHolderFee.fee === 0n &&
    config.transferFee.initialRate === 0n &&
    config.transferFee.steps.every(({ _2: rate }) => rate === 0n) &&
    config.holdingFee.rate >= 0n &&
    config.extraFeaturedAppRewardAmount >= 0n &&
    config.maxNumInputs >= 1n &&
    config.maxNumOutputs >= 1n &&
    config.maxNumLockHolders >= 0n
  );
}

function isValidIssuanceConfig(config: IssuanceConfig): boolean {
  const fundShare = config.optDevelopmentFundPercentage;
  return (
    config.amuletToIssuePerYear > 0n &&
    config.validatorRewardPercentage >= 0n &&
    config.appRewardPercentage >= 0n &&
    add(config.validatorRewardPercentage, config.appRewardPercentage) <= ONE &&
    config.validatorRewardCap >= 0n &&
    config.featuredAppRewardCap >= 0n &&
    config.unfeaturedAppRewardCap >= 0n &&
    (config.optValidatorFaucetCap ?? DEFAULT_VALIDATOR_FAUCET_CAP) >= 0n &&
    (fundShare === null || (fundShare >= 0n && fundShare <= ONE))
  );
}
