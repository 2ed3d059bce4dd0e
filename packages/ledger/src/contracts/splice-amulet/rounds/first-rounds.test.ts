import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import {
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { timesOfRounds } from "../../../../testing/round-times.ts";
import { Sandbox, type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../../values/duration.ts";
import { time } from "../../../values/time.ts";
import { relTime } from "../../rel-time.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const dso = testParty("DSO");
const asDso: Submitting = { actAs: [dso] };
const TICK = 10n * MINUTE;
const config = defaultAmuletConfig(TEST_SYNCHRONIZER);

function withRules(given: { schemaVersion?: bigint } = {}) {
  const sandbox = new Sandbox({ now: time("2026-01-01T00:00:00.000001Z") });
  const rules = sandbox.create(
    AmuletRules,
    {
      dso,
      configSchedule: { initialValue: config, futureValues: [] },
      isDevNet: false,
      contractStateSchemaVersion: given.schemaVersion ?? null,
    },
    asDso,
  );
  const bootstrap = (round0Duration = TICK, initialRound: bigint | null = null, as = asDso) =>
    sandbox.exercise(
      AmuletRules,
      rules,
      "AmuletRules_Bootstrap_Rounds",
      { amuletPrice: decimal("0.005"), round0Duration: relTime(round0Duration), initialRound },
      as,
    );
  return { sandbox, bootstrap };
}

describe("the first rounds", () => {
  test("two open at once, the third when the first closes", () => {
    const { sandbox, bootstrap } = withRules();
    const result = bootstrap();
    expect(timesOfRounds(sandbox)).toEqual([
      [0n, "2026-01-01T00:00:00.000001Z", "2026-01-01T00:10:00.000001Z", 0n],
      [1n, "2026-01-01T00:00:00.000001Z", "2026-01-01T00:20:00.000001Z", TICK],
      [2n, "2026-01-01T00:10:00.000001Z", "2026-01-01T00:30:00.000001Z", 2n * TICK],
    ]);
    expect(result).toEqual({
      openMiningRoundCid: sandbox.active(OpenMiningRound)[2]?.contractId,
      initialRound: { number: 0n },
    });
    expect(shapeOf(sandbox)).toEqual([
      "AmuletRules_Bootstrap_Rounds AmuletRules",
      "create OpenMiningRound",
      "create OpenMiningRound",
      "create OpenMiningRound",
      "AmuletRules_BootstrapExternalPartyConfigState AmuletRules",
      "create ExternalPartyConfigState",
      "create ExternalPartyConfigState",
    ]);
  });

  test("a longer first round moves the others, and its tick stays the normal one", () => {
    const { sandbox, bootstrap } = withRules();
    bootstrap(DAY);
    expect(timesOfRounds(sandbox)).toEqual([
      [0n, "2026-01-01T00:00:00.000001Z", "2026-01-02T00:00:00.000001Z", 0n],
      [1n, "2026-01-01T00:00:00.000001Z", "2026-01-02T00:10:00.000001Z", TICK],
      [2n, "2026-01-02T00:00:00.000001Z", "2026-01-02T00:20:00.000001Z", 2n * TICK],
    ]);
    for (const { payload } of sandbox.active(OpenMiningRound)) {
      expect(payload.tickDuration.microseconds).toBe(TICK);
    }
  });

  test("may begin at a later number, with the issuance time that belongs to it", () => {
    const { sandbox, bootstrap } = withRules();
    // Round 26,279 is the last one of the first half year; the next two issue less.
    expect(bootstrap(TICK, 26_279n).initialRound).toEqual({ number: 26_279n });
    const rounds = sandbox.active(OpenMiningRound).map(({ payload }) => payload);
    expect(rounds.map(({ round }) => round.number)).toEqual([26_279n, 26_280n, 26_281n]);
    expect(rounds.map(({ issuingFor }) => issuingFor.microseconds)).toEqual([
      4_380n * HOUR - TICK,
      4_380n * HOUR,
      4_380n * HOUR + TICK,
    ]);
    expect(rounds.map(({ issuanceConfig }) => issuanceConfig.amuletToIssuePerYear)).toEqual([
      decimal("40000000000.0"),
      decimal("20000000000.0"),
      decimal("20000000000.0"),
    ]);
  });

  test("carry price, fees and tick of the configuration", () => {
    const { sandbox, bootstrap } = withRules();
    bootstrap();
    for (const { payload } of sandbox.active(OpenMiningRound)) {
      expect(payload).toMatchObject({
        dso,
        amuletPrice: decimal("0.005"),
        transferConfigUsd: config.transferConfig,
        tickDuration: config.tickDuration,
        issuanceConfig: config.issuanceCurve.initialValue,
      });
    }
  });

  test("are refused if the first would be shorter than a tick", () => {
    expectUnmet("Round0 duration is larger or equal to tick duration", () =>
      withRules().bootstrap(TICK - 1n),
    );
  });

  test("are refused once the rules carry a schema version", () => {
    expectUnmet("contractStateSchemaVersion is not set", () => withRules({ schemaVersion: 0n }).bootstrap());
  });

  test("are refused below zero and beyond the largest number", () => {
    expect(rejectionOf(() => withRules().bootstrap(TICK, -1n)).context["error_id"]).toBe(PRECONDITION_FAILED);
    const { context } = rejectionOf(() => withRules().bootstrap(TICK, 2n ** 63n - 1n));
    expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError");
  });

  test("can be made by the DSO alone", () => {
    const as = { actAs: [testParty("alice")], readAs: [dso] };
    expectUnauthorized(() => withRules().bootstrap(TICK, null, as));
  });
});
