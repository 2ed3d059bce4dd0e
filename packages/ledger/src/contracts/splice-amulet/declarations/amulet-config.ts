/** Splice.AmuletConfig, Splice.Issuance, Splice.Schedule: what AmuletRules is configured with. */
import { damlSet, list } from "../../../daml/collections.ts";
import type { DamlType, ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { type RecordType, record, tuple } from "../../../daml/record.ts";
import { int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { RelTime } from "../../rel-time.ts";
import { FixedFee, RatePerRound, SteppedRate } from "./fees.ts";

export const TransferConfig = record("TransferConfig", {
  createFee: FixedFee,
  holdingFee: RatePerRound,
  transferFee: SteppedRate,
  lockHolderFee: FixedFee,
  extraFeaturedAppRewardAmount: numeric,
  maxNumInputs: int64,
  maxNumOutputs: int64,
  maxNumLockHolders: int64,
});
export type TransferConfig = ValueOf<typeof TransferConfig>;

/** The part of the transfer configuration that transfers really use. */
export const TransferConfigV2 = record("TransferConfigV2", {
  holdingFee: RatePerRound,
  maxNumInputs: int64,
  maxNumOutputs: int64,
  maxNumLockHolders: int64,
});
export type TransferConfigV2 = ValueOf<typeof TransferConfigV2>;

export const IssuanceConfig = record("IssuanceConfig", {
  amuletToIssuePerYear: numeric,
  validatorRewardPercentage: numeric,
  appRewardPercentage: numeric,
  validatorRewardCap: numeric,
  featuredAppRewardCap: numeric,
  unfeaturedAppRewardCap: numeric,
  optValidatorFaucetCap: optional(numeric),
  optDevelopmentFundPercentage: optional(numeric),
});
export type IssuanceConfig = ValueOf<typeof IssuanceConfig>;

type ScheduleFields<K, V> = {
  readonly initialValue: DamlType<V>;
  readonly futureValues: DamlType<readonly { readonly _1: K; readonly _2: V }[]>;
};

/** A first value and later ones, each with the key from which it holds, ascending. */
export function schedule<K, V>(key: DamlType<K>, value: DamlType<V>): RecordType<ScheduleFields<K, V>> {
  return record("Schedule", { initialValue: value, futureValues: list(tuple(key, value)) });
}

export const IssuanceCurve = schedule(RelTime, IssuanceConfig);
export type IssuanceCurve = ValueOf<typeof IssuanceCurve>;

const BaseRateTrafficLimits = record("BaseRateTrafficLimits", { burstAmount: int64, burstWindow: RelTime });

const SynchronizerFeesConfig = record("SynchronizerFeesConfig", {
  baseRateTrafficLimits: BaseRateTrafficLimits,
  extraTrafficPrice: numeric,
  readVsWriteScalingFactor: int64,
  minTopupAmount: int64,
});

const AmuletDecentralizedSynchronizerConfig = record("AmuletDecentralizedSynchronizerConfig", {
  requiredSynchronizers: damlSet(text),
  activeSynchronizer: text,
  fees: SynchronizerFeesConfig,
});

const PackageConfig = record("PackageConfig", {
  amulet: text,
  amuletNameService: text,
  dsoGovernance: text,
  validatorLifecycle: text,
  wallet: text,
  walletPayments: text,
});

export const AmuletConfig = record("AmuletConfig", {
  transferConfig: TransferConfig,
  issuanceCurve: IssuanceCurve,
  decentralizedSynchronizer: AmuletDecentralizedSynchronizerConfig,
  tickDuration: RelTime,
  packageConfig: PackageConfig,
  transferPreapprovalFee: optional(numeric),
  featuredAppActivityMarkerAmount: optional(numeric),
  optDevelopmentFundManager: optional(party),
  externalPartyConfigStateTickDuration: optional(RelTime),
});
export type AmuletConfig = ValueOf<typeof AmuletConfig>;

export const AmuletConfigSchedule = schedule(time, AmuletConfig);
