import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { SvRounds } from "../../../testing/sv-rounds.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import { HOUR, MINUTE } from "../../values/duration.ts";
import { relTime } from "../rel-time.ts";
import { FeaturedAppRight } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyAmuletRules } from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { SvRewardCoupon } from "../splice-amulet/declarations/reward-coupons.ts";
import { onAmuletRules, onDsoRules } from "./confirmed-actions.ts";
import type { DsoRulesAction } from "./declarations/confirmed-action.ts";
import { DsoRules } from "./declarations/dso-rules.ts";

const [alice, outsider] = [testParty("alice"), testParty("outsider")];

function decide(network: DsoFixture, dsoAction: DsoRulesAction): void {
  network.agree(onDsoRules(dsoAction));
}

test("no SV takes a decision of the DSO alone", () => {
  const network = new DsoFixture();
  const { sandbox, dsoRules: cid } = network;
  const as = network.asSv();
  const { config } = network.only(DsoRules).payload;
  const rightCid = sandbox.create(FeaturedAppRight, { dso: network.dso, provider: alice }, network.asDso());
  expectUnauthorized(() =>
    sandbox.exercise(DsoRules, cid, "DsoRules_GrantFeaturedAppRight", { provider: alice }, as),
  );
  expectUnauthorized(() =>
    sandbox.exercise(DsoRules, cid, "DsoRules_RevokeFeaturedAppRight", { rightCid }, as),
  );
  expectUnauthorized(() =>
    sandbox.exercise(DsoRules, cid, "DsoRules_SetConfig", { newConfig: config, baseConfig: null }, as),
  );
  const weight = { svParty: network.sv(0), newRewardWeight: 1_000_000n };
  expectUnauthorized(() => sandbox.exercise(DsoRules, cid, "DsoRules_UpdateSvRewardWeight", weight, as));
  expectUnauthorized(() =>
    sandbox.exercise(DsoRules, cid, "DsoRules_CreateExternalPartyAmuletRules", {}, as),
  );
});

describe("the SVs together", () => {
  test("take in another SV and let one go, by the rules they then have", () => {
    const network = new DsoFixture();
    const newSvParty = testParty("sv5");
    const value = {
      newSvParty,
      newSvName: "SV-5",
      newSvRewardWeight: 5n,
      newSvParticipantId: "PAR::sv5",
      joinedAsOfRound: { number: 0n },
    };
    decide(network, { tag: "SRARC_AddSv", value });
    expect(network.only(DsoRules).payload.svs.map(([sv]) => sv)).toContain(newSvParty);
    const dsoAction = { tag: "SRARC_OffboardSv", value: { sv: newSvParty } } as const;
    const action = onDsoRules(dsoAction);
    // Three of four were enough; of five it takes four.
    const confirmations = network.svs.map((sv) => network.confirm(action, sv));
    expectUnmet("Enough confirmations", () => network.execute(action, confirmations.slice(1)));
    network.execute(action, confirmations);
    expect(network.only(DsoRules).payload.svs.map(([sv]) => sv)).not.toContain(newSvParty);
    expect(shapeOf(network.sandbox)).toEqual([
      "DsoRules_ExecuteConfirmedAction DsoRules",
      ...Array.from({ length: 4 }, () => "Archive Confirmation"),
      "DsoRules_OffboardSv DsoRules",
      "create DsoRules",
    ]);
  });

  test("feature an app and take that back", () => {
    const network = new DsoFixture();
    decide(network, { tag: "SRARC_GrantFeaturedAppRight", value: { provider: alice } });
    const { contractId: rightCid, payload } = network.only(FeaturedAppRight);
    expect(payload).toEqual({ dso: network.dso, provider: alice });
    decide(network, { tag: "SRARC_RevokeFeaturedAppRight", value: { rightCid } });
    expect(network.sandbox.active(FeaturedAppRight)).toEqual([]);
    expectNotFound(() => decide(network, { tag: "SRARC_RevokeFeaturedAppRight", value: { rightCid } }));
  });

  test("take back rights of this DSO only", () => {
    const network = new DsoFixture();
    const sv = network.sv(0);
    const right = { dso: sv, provider: network.dso };
    const rightCid = network.sandbox.create(FeaturedAppRight, right, { actAs: [sv] });
    expectOtherGroup("FeaturedAppRight", () =>
      decide(network, { tag: "SRARC_RevokeFeaturedAppRight", value: { rightCid } }),
    );
  });

  test("create the rules of external parties", () => {
    const network = new DsoFixture();
    decide(network, { tag: "SRARC_CreateExternalPartyAmuletRules", value: {} });
    const both = network.sandbox.active(ExternalPartyAmuletRules).map(({ payload }) => payload);
    expect(both).toEqual([{ dso: network.dso }, { dso: network.dso }]);
  });

  test("change an SV's weight, by which it then receives its rewards", () => {
    const network = new DsoFixture();
    const [first, second] = [network.sv(0), network.sv(1)];
    decide(network, {
      tag: "SRARC_UpdateSvRewardWeight",
      value: { svParty: second, newRewardWeight: 10_001n },
    });
    const weights = network.only(DsoRules).payload.svs.map(([, info]) => info.svRewardWeight);
    expect(weights.toSorted()).toEqual([10_000n, 10_000n, 10_000n, 10_001n]);
    const rounds = new SvRounds(network);
    rounds.receive(first);
    rounds.receive(second);
    const given = network.sandbox.active(SvRewardCoupon).map(({ payload }) => [payload.sv, payload.weight]);
    expect(given).toEqual([
      [first, 10_000n],
      [second, 10_001n],
    ]);
  });

  test("give no weight below zero, and none to a party that is no SV", () => {
    const network = new DsoFixture();
    const weigh = (svParty: typeof alice, newRewardWeight: bigint) =>
      decide(network, { tag: "SRARC_UpdateSvRewardWeight", value: { svParty, newRewardWeight } });
    expectUnmet("New reward weight is positive", () => weigh(network.sv(0), -1n));
    weigh(network.sv(0), 0n);
    expect(rejectionOf(() => weigh(outsider, 1n)).cause).toMatch(/: SV party is not registered$/);
  });
});

describe("the SVs' configuration", () => {
  const base = () => {
    const network = new DsoFixture();
    return { network, config: network.only(DsoRules).payload.config };
  };

  test("is replaced as a whole if the request names no base", () => {
    const { network, config } = base();
    const newConfig = { ...config, maxTextLength: 5n, voteCooldownTime: relTime(HOUR) };
    decide(network, { tag: "SRARC_SetConfig", value: { newConfig, baseConfig: null } });
    expect(network.only(DsoRules).payload.config).toEqual(newConfig);
  });

  test("keeps what was changed meanwhile if the request names its base", () => {
    const { network, config } = base();
    const requests = [
      { ...config, maxTextLength: 5n },
      { ...config, voteCooldownTime: relTime(HOUR) },
      {
        ...config,
        synchronizerNodeConfigLimits: {
          cometBft: { ...config.synchronizerNodeConfigLimits.cometBft, maxPubKeyLength: 9n },
        },
      },
      { ...config, actionConfirmationTimeout: relTime(MINUTE) },
    ];
    for (const newConfig of requests) {
      decide(network, { tag: "SRARC_SetConfig", value: { newConfig, baseConfig: config } });
    }
    expect(network.only(DsoRules).payload.config).toEqual({
      ...config,
      maxTextLength: 5n,
      voteCooldownTime: relTime(HOUR),
      synchronizerNodeConfigLimits: {
        cometBft: { ...config.synchronizerNodeConfigLimits.cometBft, maxPubKeyLength: 9n },
      },
      actionConfirmationTimeout: relTime(MINUTE),
    });
  });

  test("knows synchronizers by their ids: one that was added meanwhile stays", () => {
    const { network, config } = base();
    const { decentralizedSynchronizer } = config;
    const [first] = decentralizedSynchronizer.synchronizers;
    if (first === undefined) throw new Error("no synchronizer");
    const added = { ...first[1], state: "DS_Bootstrapping" } as const;
    const withBoth = { ...decentralizedSynchronizer, synchronizers: [first, ["second", added] as const] };
    const retired = { ...first[1], state: "DS_Decomissioned" } as const;
    const withRetired = { ...decentralizedSynchronizer, synchronizers: [[first[0], retired] as const] };
    for (const next of [withBoth, withRetired]) {
      const newConfig = { ...config, decentralizedSynchronizer: next };
      decide(network, { tag: "SRARC_SetConfig", value: { newConfig, baseConfig: config } });
    }
    expect(network.only(DsoRules).payload.config.decentralizedSynchronizer.synchronizers).toEqual([
      [first[0], retired],
      ["second", added],
    ]);
  });

  test("has its scheduled upgrades set, moved and cancelled", () => {
    const { network, config } = base();
    const { now } = network.sandbox;
    const set = { ...config, nextScheduledSynchronizerUpgrade: { time: now, migrationId: 1n } };
    const moved = { ...config, nextScheduledSynchronizerUpgrade: { time: now, migrationId: 2n } };
    const scheduled = () => network.only(DsoRules).payload.config.nextScheduledSynchronizerUpgrade;
    decide(network, { tag: "SRARC_SetConfig", value: { newConfig: set, baseConfig: config } });
    expect(scheduled()).toEqual({ time: now, migrationId: 1n });
    decide(network, { tag: "SRARC_SetConfig", value: { newConfig: moved, baseConfig: set } });
    expect(scheduled()).toEqual({ time: now, migrationId: 2n });
    decide(network, { tag: "SRARC_SetConfig", value: { newConfig: config, baseConfig: moved } });
    expect(scheduled()).toBeNull();
  });
});

test.each([
  "CRARC_AddFutureAmuletConfigSchedule",
  "CRARC_RemoveFutureAmuletConfigSchedule",
  "CRARC_UpdateFutureAmuletConfigSchedule",
] as const)("%s can be confirmed, but nothing can be scheduled any more", (tag) => {
  const network = new DsoFixture();
  const item = { _1: network.sandbox.now, _2: network.only(AmuletRules).payload.configSchedule.initialValue };
  const value = { newScheduleItem: item, scheduleItem: item, scheduleTime: item._1 };
  const { cause } = rejectionOf(() => network.agree(onAmuletRules({ tag, value })));
  expect(cause).toContain(tag.replace("CRARC", "AmuletRules"));
});
