/** Cron expressions: what they mean, against a model that looks at every second, and what is refused. */
import { parseDuration } from "@callsign/api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCron } from "./cron.ts";
import { parseSchedule } from "./pruning-schedule.ts";

const MICROSECONDS = 1_000_000n;

function cronOf(text: string) {
  const cron = parseCron(text);
  if (!cron.ok) throw new Error(cron.error);
  return cron.value;
}

function micros(time: string): bigint {
  return BigInt(Date.parse(time)) * 1000n;
}

function timesAfter(text: string, begin: string, count: number): (string | null)[] {
  const cron = cronOf(text);
  let time: bigint | null = micros(begin);
  return Array.from({ length: count }, () => {
    time = time === null ? null : cron.nextAfter(time);
    return time === null ? null : new Date(Number(time / 1000n)).toISOString();
  });
}

describe("a cron expression means", () => {
  test.each([
    ["0 /10 * * * ?", ["2026-03-01T12:40:00.000Z", "2026-03-01T12:50:00.000Z", "2026-03-01T13:00:00.000Z"]],
    ["0 */10 * * * ?", ["2026-03-01T12:40:00.000Z", "2026-03-01T12:50:00.000Z", "2026-03-01T13:00:00.000Z"]],
    // The first of March 2026 is a Sunday.
    ["0 0 8 ? * SAT", ["2026-03-07T08:00:00.000Z", "2026-03-14T08:00:00.000Z", "2026-03-21T08:00:00.000Z"]],
    ["0 0 8 ? * 1", ["2026-03-08T08:00:00.000Z", "2026-03-15T08:00:00.000Z", "2026-03-22T08:00:00.000Z"]],
    [
      "30 5/25 22-1 ? * fri-mon",
      ["2026-03-01T22:05:30.000Z", "2026-03-01T22:30:30.000Z", "2026-03-01T22:55:30.000Z"],
    ],
    ["0 0 0 31 * ?", ["2026-03-31T00:00:00.000Z", "2026-05-31T00:00:00.000Z", "2026-07-31T00:00:00.000Z"]],
    ["0 0 0 29 FEB ?", ["2028-02-29T00:00:00.000Z", "2032-02-29T00:00:00.000Z", "2036-02-29T00:00:00.000Z"]],
    [
      "  0  0 12 1 1,DEC   ? 2026,2030 ",
      ["2026-12-01T12:00:00.000Z", "2030-01-01T12:00:00.000Z", "2030-12-01T12:00:00.000Z"],
    ],
    ["0 0 0 1 12 ? 2099", ["2099-12-01T00:00:00.000Z", null, null]],
  ])("%s", (text, times) => {
    expect(timesAfter(text, "2026-03-01T12:34:56.789Z", 3)).toEqual(times);
  });

  test("a time that fits is not its own next", () => {
    expect(timesAfter("0 /10 * * * ?", "2026-03-01T12:40:00.000Z", 1)).toEqual(["2026-03-01T12:50:00.000Z"]);
    expect(cronOf("0 /10 * * * ?").nextAfter(micros("2026-03-01T12:40:00Z") - 1n)).toBe(
      micros("2026-03-01T12:40:00Z"),
    );
  });
});

describe("a cron expression is refused with its fault", () => {
  test.each([
    ["", /0 fields.*6 or 7/],
    ["0 0 * * ?", /5 fields/],
    ["0 0 0 * * ? 2026 x", /8 fields/],
    ["* * * * * * *", /exactly one/],
    ["0 0 0 ? * ?", /exactly one/],
    ["0 60 * * * ?", /the minutes cannot be 60: it goes from 0 to 59/],
    ["0 0 24 * * ?", /the hours/],
    ["0 0 0 0 * ?", /the day of the month/],
    ["0 0 0 1 0 ?", /the month cannot be 0: it goes from 1 to 12, or JAN to DEC/],
    ["0 0 0 1 13 ?", /the month/],
    ["0 0 0 ? * 8", /the day of the week/],
    ["0 0 0 ? * MONDAY", /the day of the week cannot be MONDAY/],
    ["0 0 0 1 1 ? 2100", /the year/],
    ["0 0 0 1 1 ? 2030-2029", /ends before it begins/],
    ["0 0/0 * * * ?", /step 0/],
    ["0 /61 * * * ?", /step 61/],
    ["0 1,,2 * * * ?", /the minutes has ""/],
    ["0 1-2-3 * * * ?", /1-2-3/],
    ["0 ? * * * ?", /the minutes cannot be \?/],
    ["0 0 0 L * ?", /are not understood/],
    ["0 0 0 15W * ?", /are not understood/],
    ["0 0 0 ? * FRI#2", /are not understood/],
    ["0 0 0 31 FEB,APR ?", /never comes/],
    ["0 0 0 31 9/2 ?", /never comes/],
    ["0 0 0 29 2 ? 2026,2027", /never comes/],
    [`0 ${"1,".repeat(200)}1 * * * ?`, /longer than 300/],
  ])("%s", (text, why) => {
    const cron = parseCron(text);
    expect(cron.ok).toBe(false);
    if (!cron.ok) expect(cron.error).toMatch(why);
  });
});

/** One item of a list, as text and as a question, so that the model never parses. */
interface Part {
  readonly text: string;
  readonly has: (value: number) => boolean;
}

function partOf(min: number, max: number): fc.Arbitrary<Part> {
  const value = fc.integer({ min, max });
  const step = fc.integer({ min: 1, max: max - min + 1 });
  return fc.oneof(
    fc.constant<Part>({ text: "*", has: () => true }),
    value.map((one) => ({ text: `${one}`, has: (other: number) => other === one })),
    fc.tuple(value, value).map(([from, to]) => ({
      text: `${from}-${to}`,
      has: (other: number) => (from <= to ? other >= from && other <= to : other >= from || other <= to),
    })),
    fc.tuple(value, step).map(([from, by]) => ({
      text: `${from}/${by}`,
      has: (other: number) => other >= from && (other - from) % by === 0,
    })),
    fc.tuple(fc.constantFrom("", "*"), step).map(([star, by]) => ({
      text: `${star}/${by}`,
      has: (other: number) => (other - min) % by === 0,
    })),
  );
}

function fieldOf(min: number, max: number): fc.Arbitrary<Part> {
  return fc.array(partOf(min, max), { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(","),
    has: (value) => parts.some((part) => part.has(value)),
  }));
}

const everyDay: Part = { text: "?", has: () => true };
const days = fc.oneof(
  fieldOf(1, 31).map((ofMonth) => ({ ofMonth, ofWeek: everyDay })),
  fieldOf(1, 7).map((ofWeek) => ({ ofMonth: everyDay, ofWeek })),
);
const expression = fc.record({
  second: fieldOf(0, 59),
  minute: fieldOf(0, 59),
  hour: fieldOf(0, 23),
  days,
  month: fieldOf(1, 12),
});

test("the next time is the first second that every field allows", () => {
  const SECONDS = 90_000;
  fc.assert(
    fc.property(
      expression,
      fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2040, 0, 1) }),
      ({ second, minute, hour, days: { ofMonth, ofWeek }, month }, begin) => {
        const text = [second, minute, hour, ofMonth, month, ofWeek].map((field) => field.text).join(" ");
        const parsed = parseCron(text);
        // A day that no month of the list has.
        if (!parsed.ok) {
          expect(parsed.error).toContain("never comes");
          return;
        }
        const next = parsed.value.nextAfter(BigInt(begin) * 1000n);
        let expected: number | null = null;
        for (let i = 1; i <= SECONDS && expected === null; i++) {
          const time = (Math.floor(begin / 1000) + i) * 1000;
          const date = new Date(time);
          const fits =
            second.has(date.getUTCSeconds()) &&
            minute.has(date.getUTCMinutes()) &&
            hour.has(date.getUTCHours()) &&
            ofMonth.has(date.getUTCDate()) &&
            month.has(date.getUTCMonth() + 1) &&
            ofWeek.has(date.getUTCDay() + 1);
          if (fits) expected = time;
        }
        const horizon = BigInt(Math.floor(begin / 1000) + SECONDS) * MICROSECONDS;
        if (expected !== null) expect(next).toBe(BigInt(expected) * 1000n);
        else expect(next === null || next > horizon).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ["5m", 300n],
  ["48h", 172_800n],
  ["30d", 2_592_000n],
  ["1 day", 86_400n],
  ["90 seconds", 90n],
  ["10 minutes", 600n],
])("%s is a length of time", (text, seconds) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: seconds * MICROSECONDS });
});

test.each(["", "5", "m", "0s", "-1s", "5ms", "1.5h", "5M", "PT5M", "36501d", "1000000000000d", "1h30m"])(
  "%s is none",
  (text) => {
    const duration = parseDuration(text);
    expect(duration).toMatchObject({ ok: false });
    if (!duration.ok) expect(duration.error).toContain(JSON.stringify(text));
  },
);

test("a window opens with a time of the expression, and closes when its time is over", () => {
  const parsed = parseSchedule({ cron: "0 0 3 * * ?", maxDuration: "5m", retention: "48h" });
  if (!parsed.ok) throw new Error(parsed.error);
  const { isOpen } = parsed.value;
  const at = (time: string) => isOpen(micros(`2026-03-01T${time}Z`));
  expect([at("02:59:59.999"), at("03:00:00"), at("03:04:59.999"), at("03:05:00")]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
