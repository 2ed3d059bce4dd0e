/** The configuration a network is founded with unless its founder says otherwise: plain constants. */
import { decimal } from "../../../values/decimal.ts";
import { HOUR, MINUTE } from "../../../values/duration.ts";
import {
  amuletPackage,
  dsoGovernancePackage,
  nameServicePackage,
  validatorLifecyclePackage,
  walletPackage,
  walletPaymentsPackage,
} from "../../packages.ts";
import { relTime } from "../../rel-time.ts";
import type {
  AmuletConfig,
  IssuanceConfig,
  IssuanceCurve,
  TransferConfig,
} from "../declarations/amulet-config.ts";

export const DEFAULT_AMULET_PRICE = decimal("0.005");
export const DEFAULT_TICK_DURATION = relTime(10n * MINUTE);

const NO_FEE = { fee: decimal("0.0") };
const FEATURED_APP_REWARD = decimal("1.0");

const defaultTransferConfig: TransferConfig = {
  createFee: NO_FEE,
  // One dollar a year at ten minutes a round: 1 ÷ 52,560.
  holdingFee: { rate: decimal("0.0000190259") },
  transferFee: { initialRate: decimal("0.0"), steps: [] },
  lockHolderFee: NO_FEE,
  extraFeaturedAppRewardAmount: FEATURED_APP_REWARD,
  maxNumInputs: 100n,
  maxNumOutputs: 100n,
  maxNumLockHolders: 50n,
};

/** Half a year, one and a half, five, ten years of issuance time, in years of 365 days. */
const defaultIssuanceCurve: IssuanceCurve = {
  initialValue: issuance({ perYear: "40000000000.0", validators: "0.05", apps: "0.15" }),
  futureValues: [
    from(4_380n, { perYear: "20000000000.0", validators: "0.12", apps: "0.4" }),
    from(13_140n, { perYear: "10000000000.0", validators: "0.18", apps: "0.62" }),
    from(43_800n, { perYear: "5000000000.0", validators: "0.21", apps: "0.69" }),
    from(87_600n, { perYear: "2500000000.0", validators: "0.2", apps: "0.75" }),
  ],
};

export function defaultAmuletConfig(synchronizerId: string): AmuletConfig {
  return {
    transferConfig: defaultTransferConfig,
    issuanceCurve: defaultIssuanceCurve,
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: [[synchronizerId, {}]] },
      activeSynchronizer: synchronizerId,
      fees: {
        baseRateTrafficLimits: { burstAmount: 400_000n, burstWindow: relTime(20n * MINUTE) },
        extraTrafficPrice: decimal("16.67"),
        readVsWriteScalingFactor: 4n,
        minTopupAmount: 200_000n,
      },
    },
    tickDuration: DEFAULT_TICK_DURATION,
    packageConfig: {
      amulet: amuletPackage.version,
      amuletNameService: nameServicePackage.version,
      dsoGovernance: dsoGovernancePackage.version,
      validatorLifecycle: validatorLifecyclePackage.version,
      wallet: walletPackage.version,
      walletPayments: walletPaymentsPackage.version,
    },
    transferPreapprovalFee: null,
    featuredAppActivityMarkerAmount: FEATURED_APP_REWARD,
    optDevelopmentFundManager: null,
    externalPartyConfigStateTickDuration: null,
  };
}

type TrafficLimits = AmuletConfig["decentralizedSynchronizer"]["fees"]["baseRateTrafficLimits"];

/** The same with other limits to what a member may send for free. */
export function withFreeTraffic(config: AmuletConfig, limits: Partial<TrafficLimits>): AmuletConfig {
  const { decentralizedSynchronizer } = config;
  const { fees } = decentralizedSynchronizer;
  const baseRateTrafficLimits = { ...fees.baseRateTrafficLimits, ...limits };
  return {
    ...config,
    decentralizedSynchronizer: { ...decentralizedSynchronizer, fees: { ...fees, baseRateTrafficLimits } },
  };
}

interface Segment {
  readonly perYear: string;
  readonly validators: string;
  readonly apps: string;
}

function issuance({ perYear, validators, apps }: Segment): IssuanceConfig {
  return {
    amuletToIssuePerYear: decimal(perYear),
    validatorRewardPercentage: decimal(validators),
    appRewardPercentage: decimal(apps),
    validatorRewardCap: decimal("0.2"),
    featuredAppRewardCap: decimal("100.0"),
    unfeaturedAppRewardCap: decimal("0.6"),
    optValidatorFaucetCap: decimal("2.85"),
    optDevelopmentFundPercentage: null,
  };
}

function from(hours: bigint, segment: Segment): IssuanceCurve["futureValues"][number] {
  return { _1: relTime(hours * HOUR), _2: issuance(segment) };
}
