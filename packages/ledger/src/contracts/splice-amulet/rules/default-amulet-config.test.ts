import { describe, expect, test } from "vitest";
import {
  decimal,
  decimalFromInt,
  divide,
  formatDecimal,
  formatDecimalShort,
} from "../../../values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../../values/duration.ts";
import { AmuletConfig } from "../declarations/amulet-config.ts";
import { isValidAmuletConfig } from "./amulet-config-validity.ts";
import { DEFAULT_AMULET_PRICE, defaultAmuletConfig } from "./default-amulet-config.ts";

const config = defaultAmuletConfig("global-domain::1220ab");

describe("the default configuration", () => {
  test("is valid, and is a value of its type", () => {
    expect(isValidAmuletConfig(config)).toBe(true);
    expect(AmuletConfig.decode(JSON.parse(AmuletConfig.encode(config)))).toEqual(config);
  });

  test("charges nothing for transfers and a dollar a year for holding", () => {
    const { transferConfig } = config;
    expect(formatDecimal(transferConfig.createFee.fee)).toBe("0.0000000000");
    expect(formatDecimal(transferConfig.lockHolderFee.fee)).toBe("0.0000000000");
    expect(transferConfig.transferFee).toEqual({ initialRate: 0n, steps: [] });
    expect(formatDecimal(transferConfig.holdingFee.rate)).toBe("0.0000190259");
    expect(divide(decimal("1.0"), decimalFromInt(52_560n))).toBe(transferConfig.holdingFee.rate);
  });

  test("bounds transfers", () => {
    const { maxNumInputs, maxNumOutputs, maxNumLockHolders } = config.transferConfig;
    expect([maxNumInputs, maxNumOutputs, maxNumLockHolders]).toEqual([100n, 100n, 50n]);
  });

  test("has ticks of ten minutes and a price of half a cent", () => {
    expect(config.tickDuration.microseconds).toBe(10n * MINUTE);
    expect(formatDecimalShort(DEFAULT_AMULET_PRICE)).toBe("0.005");
  });

  test("names the one synchronizer as required and active", () => {
    const { requiredSynchronizers, activeSynchronizer, fees } = config.decentralizedSynchronizer;
    expect(requiredSynchronizers).toEqual({ map: [["global-domain::1220ab", {}]] });
    expect(activeSynchronizer).toBe("global-domain::1220ab");
    expect(fees).toEqual({
      baseRateTrafficLimits: { burstAmount: 400_000n, burstWindow: { microseconds: 20n * MINUTE } },
      extraTrafficPrice: decimal("16.67"),
      readVsWriteScalingFactor: 4n,
      minTopupAmount: 200_000n,
    });
  });

  test("runs the packages of this ledger", () => {
    expect(config.packageConfig).toEqual({
      amulet: "0.1.18",
      amuletNameService: "0.1.19",
      dsoGovernance: "0.1.24",
      validatorLifecycle: "0.1.7",
      wallet: "0.1.19",
      walletPayments: "0.1.18",
    });
  });

  test("has no development fund and leaves other optional settings to their defaults", () => {
    expect(config.optDevelopmentFundManager).toBeNull();
    expect(config.transferPreapprovalFee).toBeNull();
    expect(config.externalPartyConfigStateTickDuration).toBeNull();
    expect(config.featuredAppActivityMarkerAmount).toBe(decimal("1.0"));
  });

  test.each([
    { segment: 0, perRound: "761035.0076103501" },
    { segment: 1, perRound: "380517.5038051750" },
    { segment: 2, perRound: "190258.7519025875" },
    { segment: 3, perRound: "95129.3759512938" },
    { segment: 4, perRound: "47564.6879756469" },
  ])("issues $perRound a round in segment $segment, with the same caps in all", ({ segment, perRound }) => {
    const { initialValue, futureValues } = config.issuanceCurve;
    const issuance = [initialValue, ...futureValues.map(({ _2 }) => _2)][segment];
    if (issuance === undefined) throw new Error(`no segment ${segment}`);
    const roundsPerYear = divide(decimalFromInt(365n * DAY), decimalFromInt(10n * MINUTE));
    expect(formatDecimal(divide(issuance.amuletToIssuePerYear, roundsPerYear))).toBe(perRound);
    expect(issuance).toMatchObject({
      validatorRewardCap: decimal("0.2"),
      featuredAppRewardCap: decimal("100.0"),
      unfeaturedAppRewardCap: decimal("0.6"),
      optValidatorFaucetCap: decimal("2.85"),
      optDevelopmentFundPercentage: null,
    });
  });

  test("its segments begin after half a year, one and a half, five and ten years of 365 days", () => {
    const year = 365n * 24n * HOUR;
    const starts = config.issuanceCurve.futureValues.map(({ _1 }) => _1.microseconds);
    expect(starts).toEqual([year / 2n, (3n * year) / 2n, 5n * year, 10n * year]);
  });
});
