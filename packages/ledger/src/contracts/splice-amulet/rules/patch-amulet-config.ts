/** The fields of the configuration that a change request can change one by one. */
import { int64, numeric, party, text } from "../../../daml/scalars.ts";
import { RelTime } from "../../rel-time.ts";
import {
  type AmuletConfig,
  type IssuanceConfig,
  type IssuanceCurve,
  TransferConfig,
} from "../declarations/amulet-config.ts";
import { type Patch, patchMap, patchOptional, patchRecord, patchSet, patchWhole } from "./patch.ts";

const amount = patchWhole(numeric);
const integer = patchWhole(int64);
const label = patchWhole(text);
const span = patchWhole(RelTime);

const patchTransferConfig = patchRecord<TransferConfig>({
  createFee: patchRecord({ fee: amount }),
  holdingFee: patchRecord({ rate: amount }),
  transferFee: patchRecord({
    initialRate: amount,
    steps: patchWhole(TransferConfig.fields.transferFee.fields.steps),
  }),
  lockHolderFee: patchRecord({ fee: amount }),
  extraFeaturedAppRewardAmount: amount,
  maxNumInputs: integer,
  maxNumOutputs: integer,
  maxNumLockHolders: integer,
});

const patchIssuanceConfig = patchRecord<IssuanceConfig>({
  amuletToIssuePerYear: amount,
  validatorRewardPercentage: amount,
  appRewardPercentage: amount,
  validatorRewardCap: amount,
  featuredAppRewardCap: amount,
  unfeaturedAppRewardCap: amount,
  optValidatorFaucetCap: patchOptional(amount),
  optDevelopmentFundPercentage: patchOptional(amount),
});

/** The curve's later segments are told apart by the time from which they hold. */
const patchSegments = patchMap(RelTime, patchIssuanceConfig);
const patchIssuanceCurve: Patch<IssuanceCurve> = (next, base, current) => {
  const segments = ({ futureValues }: IssuanceCurve) => futureValues.map(({ _1, _2 }) => [_1, _2] as const);
  return {
    initialValue: patchIssuanceConfig(next.initialValue, base.initialValue, current.initialValue),
    futureValues: patchSegments(segments(next), segments(base), segments(current)).map(([_1, _2]) => ({
      _1,
      _2,
    })),
  };
};

export const patchAmuletConfig = patchRecord<AmuletConfig>({
  transferConfig: patchTransferConfig,
  issuanceCurve: patchIssuanceCurve,
  decentralizedSynchronizer: patchRecord<AmuletConfig["decentralizedSynchronizer"]>({
    requiredSynchronizers: patchSet(text),
    activeSynchronizer: label,
    fees: patchRecord<AmuletConfig["decentralizedSynchronizer"]["fees"]>({
      baseRateTrafficLimits: patchRecord({ burstAmount: integer, burstWindow: span }),
      extraTrafficPrice: amount,
      readVsWriteScalingFactor: integer,
      minTopupAmount: integer,
    }),
  }),
  tickDuration: span,
  packageConfig: patchRecord<AmuletConfig["packageConfig"]>({
    amulet: label,
    amuletNameService: label,
    dsoGovernance: label,
    validatorLifecycle: label,
    wallet: label,
    walletPayments: label,
  }),
  transferPreapprovalFee: patchOptional(amount),
  featuredAppActivityMarkerAmount: patchOptional(amount),
  optDevelopmentFundManager: patchOptional(patchWhole(party)),
  externalPartyConfigStateTickDuration: patchOptional(span),
});
