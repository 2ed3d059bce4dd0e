import { describe, expect, test } from "vitest";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import { expectUnauthorized, expectUnmet } from "../../../../testing/rejection.ts";
import { timesOfRounds } from "../../../../testing/round-times.ts";
import { type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { decimal } from "../../../values/decimal.ts";
import { HOUR, MINUTE } from "../../../values/duration.ts";
import { addDuration, formatTime, time } from "../../../values/time.ts";
import { relTime } from "../../rel-time.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { OpenMiningRound, SummarizingMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";
import { roundAfter } from "./round-life-cycle.ts";

const TICK = 10n * MINUTE;
const config = defaultAmuletConfig(TEST_SYNCHRONIZER);

describe("advancing the rounds", () => {
  const advance = (
    network: SandboxNetwork,
    given: {
      price?: string;
      rounds?: readonly bigint[];
      as?: Submitting;
    } = {},
  ) => {
    const [oldest, middle, latest] = (
      given.rounds ?? network.openRounds().map(({ payload }) => payload.round.number)
    ).map((number) => network.openRound(number).contractId);
    if (oldest === undefined || middle === undefined || latest === undefined)
      throw new Error("three rounds are needed");
    return network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_AdvanceOpenMiningRounds",
      {
        amuletPrice: decimal(given.price ?? "0.005"),
        roundToArchiveCid: oldest,
        middleRoundCid: middle,
        latestRoundCid: latest,
      },
      given.as ?? { actAs: [network.dso] },
    );
  };
  const start = time("2026-01-01T00:00:00Z");

  test("summarizes the oldest and announces one for a tick later, open for two", () => {
    const network = new SandboxNetwork({ now: start });
    const { sandbox } = network;
    const oldest = network.openRound(0n);
    sandbox.now = time("2026-01-01T00:10:00Z");
    const result = advance(network, { price: "0.006" });
    expect(sandbox.isActive(oldest.contractId)).toBe(false);
    expect(timesOfRounds(sandbox)).toEqual([
      [1n, "2026-01-01T00:00:00Z", "2026-01-01T00:20:00Z", TICK],
      [2n, "2026-01-01T00:10:00Z", "2026-01-01T00:30:00Z", 2n * TICK],
      [3n, "2026-01-01T00:20:00Z", "2026-01-01T00:40:00Z", 3n * TICK],
    ]);
    expect(result.openRoundCid).toBe(network.openRound(3n).contractId);
    expect(network.openRound(3n).payload.amuletPrice).toBe(decimal("0.006"));
    expect(sandbox.active(SummarizingMiningRound)).toEqual([
      {
        contractId: result.summarizingRoundCid,
        payload: {
          dso: network.dso,
          round: { number: 0n },
          amuletPrice: decimal("0.005"),
          issuanceConfig: config.issuanceCurve.initialValue,
          tickDuration: relTime(TICK),
        },
      },
    ]);
    expect(shapeOf(sandbox)).toEqual([
      "AmuletRules_AdvanceOpenMiningRounds AmuletRules",
      "Archive OpenMiningRound",
      "create SummarizingMiningRound",
      "create OpenMiningRound",
    ]);
  });

  test("late counts from now, to the microsecond; issuance time takes no notice", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.now = time("2026-01-01T00:17:30.000001Z");
    advance(network);
    expect(timesOfRounds(network.sandbox)[2]).toEqual([
      3n,
      "2026-01-01T00:27:30.000001Z",
      "2026-01-01T00:47:30.000001Z",
      3n * TICK,
    ]);
  });

  test("is refused one microsecond before the oldest is due, and then again for a tick", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.now = addDuration(start, TICK - 1n);
    expectUnmet("roundToArchive is past targetCloseAt", () => advance(network));
    network.sandbox.advance(1n);
    advance(network);
    network.sandbox.advance(TICK - 1n);
    expectUnmet("roundToArchive is past targetCloseAt", () => advance(network));
    network.sandbox.advance(1n);
    advance(network);
    expect(network.openRounds().map(({ payload }) => payload.round.number)).toEqual([2n, 3n, 4n]);
  });

  test("catches up no faster than the newest opens: a late network does not skip its ticks", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.advance(10n * HOUR);
    advance(network);
    // Round 1 is long past its close, but round 3 opens a tick from now.
    expectUnmet("latestRound is open", () => advance(network));
    network.sandbox.advance(TICK);
    advance(network);
    expect(formatTime(network.openRound(4n).payload.opensAt)).toBe("2026-01-01T10:20:00Z");
  });

  test("is refused unless the three rounds come in their order", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.advance(TICK);
    expectUnmet("middleRound is one after roundToArchive", () => advance(network, { rounds: [0n, 2n, 1n] }));
    expectUnmet("middleRound is one after roundToArchive", () => advance(network, { rounds: [1n, 0n, 2n] }));
    expectUnmet("latestRound is one after middleRound", () => advance(network, { rounds: [0n, 1n, 1n] }));
  });

  test("waits until the middle one has been open for its tick", () => {
    const network = new SandboxNetwork({ now: start });
    const [round0, round1, round2] = network.openRounds().map(({ payload }) => payload);
    if (round0 === undefined || round1 === undefined || round2 === undefined) throw new Error("no rounds");
    // A middle round with a tick so long that it alone is not ready.
    const slow = { ...round1, opensAt: addDuration(start, 1n), tickDuration: relTime(2n * TICK) };
    const create = (payload: OpenMiningRound) =>
      network.sandbox.create(OpenMiningRound, payload, { actAs: [network.dso] });
    const argument = {
      amuletPrice: decimal("0.005"),
      roundToArchiveCid: create(round0),
      middleRoundCid: create(slow),
      latestRoundCid: create(round2),
    };
    const advanceSlowly = () =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_AdvanceOpenMiningRounds",
        argument,
        { actAs: [network.dso] },
      );
    network.sandbox.now = addDuration(start, 2n * TICK);
    expectUnmet("middle round has been open for >= 1 tick", advanceSlowly);
    network.sandbox.advance(1n);
    advanceSlowly();
  });

  test("gives the new round the tick, fees and issuance of the rules as they are now", () => {
    const network = new SandboxNetwork({ now: start });
    const { sandbox } = network;
    const newConfig = {
      ...config,
      tickDuration: relTime(20n * MINUTE),
      transferConfig: { ...config.transferConfig, maxNumInputs: 7n },
    };
    sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_SetConfig",
      { newConfig, baseConfig: config },
      { actAs: [network.dso] },
    );
    sandbox.now = addDuration(start, TICK);
    advance(network);
    const { payload } = network.openRound(3n);
    expect(timesOfRounds(sandbox)[2]).toEqual([
      3n,
      "2026-01-01T00:30:00Z",
      "2026-01-01T01:10:00Z",
      3n * TICK,
    ]);
    expect(payload.tickDuration.microseconds).toBe(20n * MINUTE);
    expect(payload.transferConfigUsd.maxNumInputs).toBe(7n);
    // Rounds made before the change keep what they had.
    expect(network.openRound(2n).payload.transferConfigUsd.maxNumInputs).toBe(100n);
  });

  test("is exercised by the DSO alone", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.advance(TICK);
    const alice = testParty("alice");
    expectUnauthorized(() => advance(network, { as: { actAs: [alice], readAs: [network.dso] } }));
  });

  test("counts from the newest round's opening if that is still to come", () => {
    const network = new SandboxNetwork({ now: start });
    const { payload: latest } = network.openRound(2n);
    const setting = { dso: network.dso, config, amuletPrice: decimal("0.005"), now: start };
    expect(formatTime(roundAfter(latest, setting).opensAt)).toBe("2026-01-01T00:20:00Z");
  });

  test("keeps three rounds with consecutive numbers for as long as it goes on", () => {
    const network = new SandboxNetwork({ now: start });
    for (let i = 1n; i <= 20n; i++) {
      network.advanceRounds();
      const numbers = network.openRounds().map(({ payload }) => payload.round.number);
      expect(numbers).toEqual([i, i + 1n, i + 2n]);
    }
    expect(formatTime(network.sandbox.now)).toBe("2026-01-01T03:20:00Z");
    expect(network.sandbox.active(SummarizingMiningRound)).toHaveLength(20);
  });
});
