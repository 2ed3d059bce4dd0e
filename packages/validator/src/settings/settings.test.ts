// The settings of an operator that cannot be meant, each with its remedy.
import { describe, expect, test } from "vitest";
import { findSettingProblems } from "./find-setting-problems.ts";
import { findInstanceNameProblems } from "./instance-names.ts";
import { findPartyHintProblem } from "./onboarding-settings.ts";
import { findPruningProblems } from "./pruning-settings.ts";
import { SettingsRefused } from "./setting-finding.ts";
import { findTopUpProblems, usedTopUp } from "./top-up-settings.ts";
import { findAutoAcceptProblems, findSweepProblems } from "./transfer-settings.ts";

const textOf = (findings: ConstructorParameters<typeof SettingsRefused>[0]) =>
  new SettingsRefused(findings).message;

describe("top-ups", () => {
  test("nothing, or no throughput, buys nothing", () => {
    expect(usedTopUp({})).toBeUndefined();
    const topup = { targetThroughput: 0, minTopupIntervalSeconds: 1 };
    expect([usedTopUp({ topup }), findTopUpProblems(topup)]).toEqual([undefined, []]);
  });

  test("LocalNet's figures, and the least that makes sense", () => {
    for (const targetThroughput of [20_000, 3334]) {
      const topup = { targetThroughput, minTopupIntervalSeconds: 60 };
      expect([usedTopUp({ topup }), findTopUpProblems(topup)]).toEqual([topup, []]);
    }
  });

  test.each([
    [
      { targetThroughput: 20_000, minTopupIntervalSeconds: 29 },
      /minTopupIntervalSeconds: 29 is too short: give 30/,
    ],
    [
      { targetThroughput: 3333, minTopupIntervalSeconds: 60 },
      /targetThroughput: 3333 .* 199980 bytes, and more than the 200000/,
    ],
    [
      { targetThroughput: 20_000, minTopupIntervalSeconds: 60, reservedTraffic: 1_200_000 },
      /are 1200000 bytes, and more than the 1200000 of reserved traffic/,
    ],
    [{ targetThroughput: -1, minTopupIntervalSeconds: 60 }, /targetThroughput: -1 is not allowed/],
    [{ targetThroughput: 0.5, minTopupIntervalSeconds: 60 }, /targetThroughput: 0.5 is not allowed/],
    [
      { targetThroughput: 1, minTopupIntervalSeconds: Number.NaN },
      /minTopupIntervalSeconds: NaN is not allowed/,
    ],
  ])("%j is refused", (config, message) => {
    expect(textOf(findTopUpProblems(config))).toMatch(message);
  });

  test("a short interval and too small a purchase are reported together", () => {
    const findings = findTopUpProblems({ targetThroughput: 10, minTopupIntervalSeconds: 29 });
    expect(findings.map(({ key }) => key)).toEqual([
      "topup.minTopupIntervalSeconds",
      "topup.targetThroughput",
    ]);
  });
});

describe("the hint of a new operator party", () => {
  test.each(["digitalasset-finance-1", "a_b-C9-007"])("%s is allowed", (hint) => {
    expect(findPartyHintProblem(hint)).toBeUndefined();
  });

  test.each(["sv", "a-b", "a-b-c", "a-b-1-2", "a-b-", "-b-1", "a b-c-1", "", "é-b-1"])(
    "%j does not have the form",
    (hint) => {
      expect(findPartyHintProblem(hint)?.problem).toContain("<organization>-<function>-<enumerator>");
    },
  );
});

describe("pruning", () => {
  const schedule = { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "48h" };

  test.each([
    [schedule, undefined, []],
    [{ ...schedule, retention: "24h" }, undefined, ["pruningSchedule.retention"]],
    [{ ...schedule, retention: "86401s" }, undefined, []],
    [{ ...schedule, retention: "1h" }, 3599, []],
    [{ ...schedule, retention: "1h" }, 3600, ["pruningSchedule.retention"]],
    [
      { ...schedule, retention: "soon", maxDuration: "0s" },
      undefined,
      ["pruningSchedule.maxDuration", "pruningSchedule.retention"],
    ],
    [null, 0, ["deduplicationSeconds"]],
    [undefined, 604_801, ["deduplicationSeconds"]],
  ])("%j with %s seconds of deduplication: %j", (given, seconds, keys) => {
    expect(findPruningProblems(given, seconds).map(({ key }) => key)).toEqual(keys);
  });
});

test("problems of several settings are reported together, one in a line", () => {
  const findings = findSettingProblems({
    contactPoint: "x".repeat(256),
    migrationId: -1,
    onboarding: { svUrl: "ftp://sv.example.com" },
    topup: { targetThroughput: 1, minTopupIntervalSeconds: 1 },
    pruningSchedule: { cron: "0 0 3 * * ?", maxDuration: "5m", retention: "1h" },
  });
  expect(findings.map(({ key }) => key)).toEqual([
    "onboarding.svUrl",
    "topup.minTopupIntervalSeconds",
    "topup.targetThroughput",
    "pruningSchedule.retention",
    "contactPoint",
    "migrationId",
  ]);
  expect(textOf(findings).split("\n")).toHaveLength(6);
});

test.each([
  [{}, []],
  [{ networkName: "Net & Co" }, ["spliceInstanceNames.networkName"]],
  [
    { amuletNameAcronym: "A-B", networkFaviconUrl: "icon.png" },
    ["spliceInstanceNames.amuletNameAcronym", "spliceInstanceNames.networkFaviconUrl"],
  ],
])("shown names changed by %j: %j", (change, keys) => {
  const names = {
    networkName: "Canton Network",
    networkFaviconUrl: "https://example.com/icon.png",
    amuletName: "Canton Coin",
    amuletNameAcronym: "CC",
    nameServiceName: "Canton Name Service",
    nameServiceNameAcronym: "CNS",
    ...change,
  };
  expect(findInstanceNameProblems(names).map(({ key }) => key)).toEqual(keys);
});

test("a contact point of 255 characters, counted as people do, is allowed", () => {
  expect(findSettingProblems({ contactPoint: "😀".repeat(255) })).toEqual([]);
});

const [alice, bob] = ["alice", "bob"].map((name) => `${name}::1220${"ab".repeat(32)}`) as [string, string];

describe("a sweep", () => {
  const sweep = { maxBalanceUSD: 1000, minBalanceUSD: "100.5", receiver: bob };

  test.each([
    [{ [alice]: sweep }, []],
    [{ [alice]: { ...sweep, minBalanceUSD: 1000 } }, []],
    [{ alice: sweep }, ["walletSweep.alice"]],
    [{ [alice]: { ...sweep, receiver: "treasury.unverified.cns" } }, []],
    [{ [alice]: { ...sweep, receiver: "bob" } }, [`walletSweep.${alice}.receiver`]],
    [{ [alice]: { ...sweep, receiver: "Treasury.unverified.cns" } }, [`walletSweep.${alice}.receiver`]],
    [
      { [alice]: { ...sweep, receiver: `${"a".repeat(46)}.unverified.cns` } },
      [`walletSweep.${alice}.receiver`],
    ],
    [{ [alice]: { ...sweep, receiver: alice } }, [`walletSweep.${alice}.receiver`]],
    [{ [alice]: { ...sweep, minBalanceUSD: 1000.1 } }, [`walletSweep.${alice}.minBalanceUSD`]],
    [{ [alice]: { ...sweep, minBalanceUSD: -1 } }, [`walletSweep.${alice}.minBalanceUSD`]],
    [
      { [alice]: { ...sweep, minBalanceUSD: "few", maxBalanceUSD: "0.00000000001" } },
      [`walletSweep.${alice}.minBalanceUSD`, `walletSweep.${alice}.maxBalanceUSD`],
    ],
  ])("%j: %j", (sweeps, keys) => {
    expect(findSweepProblems(sweeps).map(({ key }) => key)).toEqual(keys);
  });
});

describe("automatic acceptance", () => {
  test.each([
    [{ [alice]: { fromParties: [bob] } }, []],
    [{ "alice::": { fromParties: [bob] } }, ["autoAcceptTransfers.alice::"]],
    [{ [alice]: { fromParties: [] } }, [`autoAcceptTransfers.${alice}.fromParties`]],
    [
      { [alice]: { fromParties: [bob, "carol", alice] } },
      [`autoAcceptTransfers.${alice}.fromParties[1]`, `autoAcceptTransfers.${alice}.fromParties[2]`],
    ],
  ])("%j: %j", (rules, keys) => {
    expect(findAutoAcceptProblems(rules).map(({ key }) => key)).toEqual(keys);
  });

  test("of more than 1,000 senders is refused", () => {
    const fromParties = (count: number) =>
      Array.from({ length: count }, (_, i) => bob.replace("bob", `bob${i}`));
    expect(findAutoAcceptProblems({ [alice]: { fromParties: fromParties(1000) } })).toEqual([]);
    expect(findAutoAcceptProblems({ [alice]: { fromParties: fromParties(1001) } })).toMatchObject([
      { key: `autoAcceptTransfers.${alice}.fromParties`, problem: "the list has 1001 parties" },
    ]);
  });
});
