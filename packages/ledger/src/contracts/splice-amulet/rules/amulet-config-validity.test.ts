import { describe, expect, test } from "vitest";
import { type Decimal, decimal } from "../../../values/decimal.ts";
import { relTime } from "../../rel-time.ts";
import type { AmuletConfig, IssuanceConfig, TransferConfig } from "../declarations/amulet-config.ts";
import { isValidAmuletConfig } from "./amulet-config-validity.ts";
import { defaultAmuletConfig } from "./default-amulet-config.ts";

const base = defaultAmuletConfig("sync::1");
const withTransfer = (given: Partial<TransferConfig>): AmuletConfig => ({
  ...base,
  transferConfig: { ...base.transferConfig, ...given },
});
const withFirstIssuance = (given: Partial<IssuanceConfig>): AmuletConfig => ({
  ...base,
  issuanceCurve: {
    ...base.issuanceCurve,
    initialValue: { ...base.issuanceCurve.initialValue, ...given },
  },
});
const withLastIssuance = (given: Partial<IssuanceConfig>): AmuletConfig => {
  const segments = base.issuanceCurve.futureValues;
  return {
    ...base,
    issuanceCurve: {
      ...base.issuanceCurve,
      futureValues: segments.map(({ _1, _2 }, i) =>
        i === segments.length - 1 ? { _1, _2: { ..._2, ...given } } : { _1, _2 },
      ),
    },
  };
};
const featured = (amount: Decimal, marker: Decimal | null): AmuletConfig => ({
  ...withTransfer({ extraFeaturedAppRewardAmount: amount }),
  featuredAppActivityMarkerAmount: marker,
});
const tiny = decimal("0.0000000001");
const minus = decimal("-0.0000000001");
const step = (rate: Decimal) => ({
  initialRate: decimal("0.0"),
  steps: [{ _1: decimal("100.0"), _2: rate }],
});

describe("a configuration is refused", () => {
  test.each<[string, AmuletConfig]>([
    ["with a create fee", withTransfer({ createFee: { fee: tiny } })],
    ["with a lock holder fee", withTransfer({ lockHolderFee: { fee: tiny } })],
    ["with a transfer fee", withTransfer({ transferFee: { initialRate: tiny, steps: [] } })],
    ["with a transfer fee beyond some amount", withTransfer({ transferFee: step(tiny) })],
    ["with a negative holding fee", withTransfer({ holdingFee: { rate: minus } })],
    ["without inputs", withTransfer({ maxNumInputs: 0n })],
    ["without outputs", withTransfer({ maxNumOutputs: 0n })],
    ["with less than no lock holders", withTransfer({ maxNumLockHolders: -1n })],
    ["with a negative app reward", featured(minus, minus)],
    ["without a marker amount", featured(decimal("1.0"), null)],
    ["with a marker amount unlike the app reward", featured(decimal("1.0"), decimal("1.0000000001"))],
    ["with ticks of no length", { ...base, tickDuration: relTime(0n) }],
    ["with negative ticks", { ...base, tickDuration: relTime(-1n) }],
    ["with a negative preapproval fee", { ...base, transferPreapprovalFee: minus }],
    [
      "if the active synchronizer is not a required one",
      {
        ...base,
        decentralizedSynchronizer: { ...base.decentralizedSynchronizer, activeSynchronizer: "sync::2" },
      },
    ],
    ["if nothing is issued", withFirstIssuance({ amuletToIssuePerYear: decimal("0.0") })],
    ["with a negative validator share", withFirstIssuance({ validatorRewardPercentage: minus })],
    ["with a negative app share", withFirstIssuance({ appRewardPercentage: minus })],
    [
      "if shares exceed the whole",
      withFirstIssuance({
        validatorRewardPercentage: decimal("0.5"),
        appRewardPercentage: decimal("0.5000000001"),
      }),
    ],
    ["with a negative validator cap", withFirstIssuance({ validatorRewardCap: minus })],
    ["with a negative featured cap", withFirstIssuance({ featuredAppRewardCap: minus })],
    ["with a negative unfeatured cap", withFirstIssuance({ unfeaturedAppRewardCap: minus })],
    ["with a negative faucet cap", withFirstIssuance({ optValidatorFaucetCap: minus })],
    ["with a negative fund share", withFirstIssuance({ optDevelopmentFundPercentage: minus })],
    [
      "with a fund share above one",
      withFirstIssuance({ optDevelopmentFundPercentage: decimal("1.0000000001") }),
    ],
    ["if a later segment is wrong", withLastIssuance({ amuletToIssuePerYear: decimal("0.0") })],
    [
      "if segments are out of order",
      {
        ...base,
        issuanceCurve: { ...base.issuanceCurve, futureValues: base.issuanceCurve.futureValues.toReversed() },
      },
    ],
  ])("%s", (_why, config) => {
    expect(isValidAmuletConfig(config)).toBe(false);
  });
});

describe("a configuration is accepted", () => {
  test.each<[string, AmuletConfig]>([
    ["as it is by default", base],
    ["without a holding fee", withTransfer({ holdingFee: { rate: decimal("0.0") } })],
    ["with steps that cost nothing", withTransfer({ transferFee: step(decimal("0.0")) })],
    [
      "with one input, one output, no lock holder",
      withTransfer({ maxNumInputs: 1n, maxNumOutputs: 1n, maxNumLockHolders: 0n }),
    ],
    ["without app rewards", featured(decimal("0.0"), decimal("0.0"))],
    ["with ticks of a microsecond", { ...base, tickDuration: relTime(1n) }],
    ["with preapprovals for free", { ...base, transferPreapprovalFee: decimal("0.0") }],
    [
      "if shares are the whole",
      withFirstIssuance({ validatorRewardPercentage: decimal("0.5"), appRewardPercentage: decimal("0.5") }),
    ],
    ["without a faucet cap", withFirstIssuance({ optValidatorFaucetCap: null })],
    ["with everything for the fund", withFirstIssuance({ optDevelopmentFundPercentage: decimal("1.0") })],
    ["whatever its package versions", { ...base, packageConfig: { ...base.packageConfig, amulet: "" } }],
  ])("%s", (_why, config) => {
    expect(isValidAmuletConfig(config)).toBe(true);
  });
});
