import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { DAY } from "./duration.ts";
import {
  addDuration,
  formatInstant,
  formatTime,
  isTimeMicros,
  laterTime,
  MAX_TIME,
  MIN_TIME,
  parseTime,
  type Time,
  time,
  timeFromMicros,
} from "./time.ts";

// Noon of 2026-01-31 is 20,484 days and twelve hours after the epoch.
const NOON = (20_484n * 86_400n + 43_200n) * 1_000_000n;

describe("reading", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0n],
    ["1969-12-31T23:59:59.999999Z", -1n],
    ["2026-01-31T12:00:00Z", NOON],
    ["2026-01-31T12:00Z", NOON],
    ["2026-01-31t12:00:00z", NOON],
    ["2026-01-31T12:00:00.5Z", NOON + 500_000n],
    ["2026-01-31T12:00:00.500Z", NOON + 500_000n],
    ["2026-01-31T12:00:00.000001Z", NOON + 1n],
    ["2026-01-31T14:00:00+02:00", NOON],
    ["2026-01-31T06:30:00-05:30", NOON],
    ["2026-02-01T06:00:00+18:00", NOON],
    ["2026-01-30T18:00:00-18:00", NOON],
    ["2026-01-31T12:00:00-00:00", NOON],
    ["2000-02-29T00:00:00Z", 951_782_400_000_000n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000n],
    ["9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999n],
  ])("%s", (given, micros) => {
    expect(parseTime(given)).toEqual({ ok: true, value: micros });
  });

  test.each([
    ["2026-01-31T12:00:00.1234567Z", NOON + 123_456n],
    ["2026-01-31T12:00:00.000000999Z", NOON],
    ["2026-01-31T12:00:00.999999999Z", NOON + 999_999n],
    // Before the epoch too, digits are cut off: the result is the earlier microsecond.
    ["1969-12-31T23:59:59.9999999Z", -1n],
    ["9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999n],
  ])("%s: digits beyond microseconds are cut off", (given, micros) => {
    expect(parseTime(given)).toEqual({ ok: true, value: micros });
  });

  test.each([
    "",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "2026-01-31T12Z",
    "2026-01-31T12:00:00+02",
    "2026-01-31T12:00:00+0200",
    "2026-01-31T12:00:00+18:01",
    "2026-01-31T12:00:00-18:59",
    "2026-01-31T12:00:00+02:60",
    "2026-01-31T12:00:00Z[UTC]",
    "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00:00.1234567890Z",
    "2026-01-31T12:00:00,5Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:60:00Z",
    "2026-01-31T23:59:60Z",
    "2026-02-29T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "10000-01-01T00:00:00Z",
    "-2026-01-31T12:00:00Z",
    " 2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00Z\n",
    "1769860800000000",
    "now",
  ])("not %j", (given) => {
    expect(parseTime(given)).toEqual({
      ok: false,
      error:
        `time ${JSON.stringify(given)} is not valid: a time reads like 2026-01-31T12:00:00.5Z, ` +
        "with Z or an offset, in the years 0001 to 9999.",
    });
  });

  test("a malformed literal in our own source throws", () => {
    expect(time("2026-01-31T12:00:00Z")).toBe(NOON);
    expect(() => time("tomorrow")).toThrow('time "tomorrow" is not valid');
  });
});

describe("writing: payloads print what is needed, instants print groups of three", () => {
  test.each([
    [0n, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"],
    [NOON, "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
    [NOON + 500_000n, "2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500Z"],
    [NOON + 120_000n, "2026-01-31T12:00:00.12Z", "2026-01-31T12:00:00.120Z"],
    [NOON + 1_000n, "2026-01-31T12:00:00.001Z", "2026-01-31T12:00:00.001Z"],
    [NOON + 10n, "2026-01-31T12:00:00.00001Z", "2026-01-31T12:00:00.000010Z"],
    [NOON + 123_400n, "2026-01-31T12:00:00.1234Z", "2026-01-31T12:00:00.123400Z"],
    [NOON + 1n, "2026-01-31T12:00:00.000001Z", "2026-01-31T12:00:00.000001Z"],
    [-1n, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    [-86_400_000_000n, "1969-12-31T00:00:00Z", "1969-12-31T00:00:00Z"],
    [-62_135_596_800_000_000n, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    [253_402_300_799_999_999n, "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
  ])("%s", (micros, payload, instant) => {
    expect(formatTime(micros as Time)).toBe(payload);
    expect(formatInstant(micros as Time)).toBe(instant);
  });
});

describe("against the runtime's Date", () => {
  test("whole milliseconds read and write alike, in every year and with any offset", () => {
    const zones = fc.tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 1079 }));
    fc.assert(
      fc.property(anyTime, zones, (micros, [sign, minutes]) => {
        const millis = Number((micros - (micros % 1000n)) / 1000n);
        const whole = BigInt(millis) * 1000n;
        const reference = new Date(millis).toISOString();
        expect(parseTime(reference)).toEqual({ ok: true, value: whole });
        expect(formatInstant(whole as Time)).toBe(reference.replace(".000Z", "Z"));

        const zone = `${sign}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
        const shifted = parseTime(reference.replace("Z", zone));
        const expected = BigInt(Date.parse(reference.replace("Z", zone))) * 1000n;
        expect(shifted.ok ? shifted.value : null).toBe(isTimeMicros(expected) ? expected : null);
      }),
      { numRuns: 1000 },
    );
  });

  test("every microsecond reads back from both forms", () => {
    fc.assert(
      fc.property(anyTime, (micros) => {
        expect(parseTime(formatTime(micros))).toEqual({ ok: true, value: micros });
        expect(parseTime(formatInstant(micros))).toEqual({ ok: true, value: micros });
      }),
      { numRuns: 1000 },
    );
  });
});

describe("arithmetic stays within the years 1 to 9999", () => {
  test("the bounds are the first and the last microsecond", () => {
    expect(formatTime(MIN_TIME)).toBe("0001-01-01T00:00:00Z");
    expect(formatTime(MAX_TIME)).toBe("9999-12-31T23:59:59.999999Z");
    expect([isTimeMicros(MIN_TIME), isTimeMicros(MIN_TIME - 1n)]).toEqual([true, false]);
    expect([isTimeMicros(MAX_TIME), isTimeMicros(MAX_TIME + 1n)]).toEqual([true, false]);
  });

  test("a duration is added exactly, and fails beyond the bounds", () => {
    expect(addDuration(time("2026-01-31T12:00:00Z"), DAY)).toBe(time("2026-02-01T12:00:00Z"));
    expect(addDuration(time("2026-01-31T12:00:00Z"), -1n)).toBe(time("2026-01-31T11:59:59.999999Z"));
    expect(addDuration(MAX_TIME, 0n)).toBe(MAX_TIME);
    expect(() => addDuration(MAX_TIME, 1n)).toThrow(ArithmeticFailure);
    expect(() => addDuration(MIN_TIME, -1n)).toThrow("outside the years 1 to 9999");
    expect(() => timeFromMicros(2n ** 63n)).toThrow(ArithmeticFailure);
  });

  test("laterTime answers the later of two times", () => {
    const [early, late] = [time("2026-01-01T00:00:00Z"), time("2026-01-02T00:00:00Z")];
    expect([laterTime(early, late), laterTime(late, early)]).toEqual([late, late]);
  });
});

const anyTime: fc.Arbitrary<Time> = fc
  .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  .map((micros) => micros as Time);

function pad(value: number): string {
  return value.toString().padStart(2, "0");
}
