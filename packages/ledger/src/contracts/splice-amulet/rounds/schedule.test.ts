import { describe, expect, test } from "vitest";
import { formatDecimalShort } from "../../../values/decimal.ts";
import { HOUR, MINUTE } from "../../../values/duration.ts";
import { MAX_INT64 } from "../../../values/int64.ts";
import { relTime } from "../../rel-time.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";
import { issuanceAt, isValidSchedule } from "./schedule.ts";

const { issuanceCurve } = defaultAmuletConfig("sync::1");

describe("the issuance curve", () => {
  test.each([
    { from: 0n, perYear: "40000000000.0", validators: "0.05", apps: "0.15" },
    { from: 4_380n, perYear: "20000000000.0", validators: "0.12", apps: "0.4" },
    { from: 13_140n, perYear: "10000000000.0", validators: "0.18", apps: "0.62" },
    { from: 43_800n, perYear: "5000000000.0", validators: "0.21", apps: "0.69" },
    { from: 87_600n, perYear: "2500000000.0", validators: "0.2", apps: "0.75" },
  ])("from $from hours on issues $perYear a year", ({ from, perYear, validators, apps }) => {
    for (const after of [0n, 1n, 10n * MINUTE]) {
      const config = issuanceAt(issuanceCurve, relTime(from * HOUR + after));
      expect(formatDecimalShort(config.amuletToIssuePerYear)).toBe(perYear);
      expect(formatDecimalShort(config.validatorRewardPercentage)).toBe(validators);
      expect(formatDecimalShort(config.appRewardPercentage)).toBe(apps);
    }
  });

  test.each([
    [4_380n, "40000000000.0"],
    [13_140n, "20000000000.0"],
    [43_800n, "10000000000.0"],
    [87_600n, "5000000000.0"],
  ])("one microsecond before %s hours still issues %s a year", (hours, perYear) => {
    const config = issuanceAt(issuanceCurve, relTime(hours * HOUR - 1n));
    expect(formatDecimalShort(config.amuletToIssuePerYear)).toBe(perYear);
  });

  test("keeps its last segment for ever, and its first before the start", () => {
    const last = issuanceAt(issuanceCurve, relTime(MAX_INT64));
    expect(formatDecimalShort(last.amuletToIssuePerYear)).toBe("2500000000.0");
    expect(issuanceAt(issuanceCurve, relTime(-1n))).toBe(issuanceCurve.initialValue);
  });
});

describe("a schedule", () => {
  const at = (...keys: bigint[]) => ({
    initialValue: "first",
    futureValues: keys.map((key) => ({ _1: relTime(key), _2: `from ${key}` })),
  });
  const anything = () => true;

  test.each([
    [at(), true],
    [at(10n), true],
    [at(10n, 1000n, MAX_INT64), true],
    [at(10n, 10n), false],
    [at(10n, 9n), false],
  ])("%o has its keys in order: %s", (schedule, valid) => {
    expect(isValidSchedule(schedule, anything)).toBe(valid);
  });

  test.each(["first", "from 10", "from 20"])("is invalid if its value '%s' is", (bad) => {
    expect(isValidSchedule(at(10n, 20n), (value) => value !== bad)).toBe(false);
  });
});
