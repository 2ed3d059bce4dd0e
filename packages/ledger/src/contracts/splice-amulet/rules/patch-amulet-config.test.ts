import { describe, expect, test } from "vitest";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import { expectUnauthorized, PRECONDITION_FAILED, rejectionOf } from "../../../../testing/rejection.ts";
import { type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { decimal } from "../../../values/decimal.ts";
import { relTime } from "../../rel-time.ts";
import type { AmuletConfig } from "../declarations/amulet-config.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { defaultAmuletConfig } from "./default-amulet-config.ts";

const alice = testParty("alice");
const dso = testParty("DSO");
const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
const rules: AmuletRules = {
  dso,
  configSchedule: { initialValue: config, futureValues: [] },
  isDevNet: true,
  contractStateSchemaVersion: null,
};

describe("AmuletRules_SetConfig", () => {
  const setConfig = (
    network: SandboxNetwork,
    newConfig: AmuletConfig,
    baseConfig = config,
    as: Submitting = { actAs: [dso] },
  ) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_SetConfig",
      { newConfig, baseConfig },
      as,
    );
  const configOf = (network: SandboxNetwork) =>
    network.sandbox.payloadOf(AmuletRules, network.amuletRules).configSchedule.initialValue;

  test("replaces the rules by ones with the change", () => {
    const network = new SandboxNetwork();
    const before = network.amuletRules;
    const newConfig = { ...config, tickDuration: relTime(1n) };
    const { newAmuletRules } = setConfig(network, newConfig);
    expect(network.sandbox.isActive(before)).toBe(false);
    expect(network.sandbox.active(AmuletRules)).toEqual([
      {
        contractId: newAmuletRules,
        payload: { ...rules, configSchedule: { initialValue: newConfig, futureValues: [] } },
      },
    ]);
  });

  test("keeps what others changed meanwhile", () => {
    const network = new SandboxNetwork();
    setConfig(network, { ...config, tickDuration: relTime(1n) });
    // Made from the old base, without knowing of the other change.
    setConfig(network, { ...config, transferPreapprovalFee: decimal("1.0") });
    expect(configOf(network)).toEqual({
      ...config,
      tickDuration: relTime(1n),
      transferPreapprovalFee: decimal("1.0"),
    });
  });

  test("reaches every field, and only those that differ", () => {
    const synchronizer = config.decentralizedSynchronizer;
    const segments = config.issuanceCurve.futureValues;
    const newConfig: AmuletConfig = {
      transferConfig: {
        createFee: { fee: decimal("0.0") },
        holdingFee: { rate: decimal("0.00005") },
        transferFee: {
          initialRate: decimal("0.0"),
          steps: [{ _1: decimal("100.0"), _2: decimal("0.0") }],
        },
        lockHolderFee: { fee: decimal("0.0") },
        extraFeaturedAppRewardAmount: decimal("2.0"),
        maxNumInputs: 1n,
        maxNumOutputs: 2n,
        maxNumLockHolders: 3n,
      },
      issuanceCurve: {
        initialValue: {
          amuletToIssuePerYear: decimal("1.0"),
          validatorRewardPercentage: decimal("0.1"),
          appRewardPercentage: decimal("0.2"),
          validatorRewardCap: decimal("3.0"),
          featuredAppRewardCap: decimal("4.0"),
          unfeaturedAppRewardCap: decimal("5.0"),
          optValidatorFaucetCap: null,
          optDevelopmentFundPercentage: decimal("0.05"),
        },
        futureValues: segments.slice(1),
      },
      decentralizedSynchronizer: {
        requiredSynchronizers: {
          map: [
            ["sync::a", {}],
            ["sync::b", {}],
          ],
        },
        activeSynchronizer: "sync::b",
        fees: {
          baseRateTrafficLimits: { burstAmount: 1n, burstWindow: relTime(2n) },
          extraTrafficPrice: decimal("3.0"),
          readVsWriteScalingFactor: 5n,
          minTopupAmount: 6n,
        },
      },
      tickDuration: relTime(7n),
      packageConfig: {
        amulet: "1",
        amuletNameService: "2",
        dsoGovernance: "3",
        validatorLifecycle: "4",
        wallet: "5",
        walletPayments: "6",
      },
      transferPreapprovalFee: decimal("8.0"),
      featuredAppActivityMarkerAmount: decimal("2.0"),
      optDevelopmentFundManager: alice,
      externalPartyConfigStateTickDuration: relTime(9n),
    };
    const changed = new SandboxNetwork();
    setConfig(changed, newConfig);
    expect(configOf(changed)).toEqual(newConfig);
    const unchanged = new SandboxNetwork();
    setConfig(unchanged, newConfig, newConfig);
    expect(configOf(unchanged)).toEqual(config);
    // The set of synchronizers is changed key by key: one more, the others stay.
    const extended = new SandboxNetwork();
    const requiredSynchronizers = {
      map: [["sync::z", {}], ...synchronizer.requiredSynchronizers.map] as const,
    };
    setConfig(extended, {
      ...config,
      decentralizedSynchronizer: { ...synchronizer, requiredSynchronizers },
    });
    const ids = configOf(extended).decentralizedSynchronizer.requiredSynchronizers.map.map(([id]) => id);
    expect(ids).toEqual([TEST_SYNCHRONIZER, "sync::z"]);
  });

  test("is refused if the outcome would be invalid, for any reason", () => {
    const negative = () => setConfig(new SandboxNetwork(), { ...config, tickDuration: relTime(-1n) });
    expect(rejectionOf(negative).context["error_id"]).toBe(PRECONDITION_FAILED);
    // Each change is valid by itself; together the app's two amounts differ.
    const network = new SandboxNetwork();
    const amounts = (amount: string) => ({
      ...config,
      transferConfig: { ...config.transferConfig, extraFeaturedAppRewardAmount: decimal(amount) },
      featuredAppActivityMarkerAmount: decimal(amount),
    });
    setConfig(network, amounts("2.0"));
    const onlyOne = { ...config, featuredAppActivityMarkerAmount: decimal("3.0") };
    expect(rejectionOf(() => setConfig(network, onlyOne)).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("is exercised by the DSO alone", () => {
    const network = new SandboxNetwork();
    const as = { actAs: [alice], disclose: network.disclosures() };
    expectUnauthorized(() => setConfig(network, config, config, as));
  });
});
