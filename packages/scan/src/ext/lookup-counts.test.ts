import { MAX_LOOKUP_MINUTES, scanApi } from "@callsign/api";
import { expect, test } from "vitest";
import { LookupCounts } from "./lookup-counts.ts";

const { lookupAnsEntryByName, listNames, getDsoInfo } = scanApi.endpoints;
const MINUTE = 60_000;

function startAt(time: string) {
  let now = Date.parse(time);
  const counts = new LookupCounts({ wallMilliseconds: () => now, elapsedMilliseconds: () => now });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { counts, pass };
}

test("lookups are counted by minute since the start; other calls are not", () => {
  const { counts, pass } = startAt("2027-01-01T00:00:50Z");
  counts.count(lookupAnsEntryByName);
  counts.count(getDsoInfo);
  pass(2 * MINUTE);
  counts.count(listNames);
  counts.count(lookupAnsEntryByName);
  expect(counts.show()).toEqual({
    since: "2027-01-01T00:00:50.000Z",
    from: "2027-01-01T00:00:00.000Z",
    counts: [1, 0, 2],
  });
});

test("a day is kept", () => {
  const { counts, pass } = startAt("2027-01-01T00:00:00Z");
  for (let minute = 0; minute < MAX_LOOKUP_MINUTES + 5; minute++) {
    for (let i = 0; i <= minute % 3; i++) counts.count(lookupAnsEntryByName);
    pass(MINUTE);
  }
  const { from, counts: shown } = counts.show();
  expect(from).toBe("2027-01-01T00:06:00.000Z");
  expect([shown.length, shown[0], shown.at(-2), shown.at(-1)]).toEqual([MAX_LOOKUP_MINUTES, 1, 2, 0]);
});

test("a clock that was set back before the start leaves no minute", () => {
  const { counts, pass } = startAt("2027-01-01T00:00:00Z");
  pass(-10 * MINUTE);
  counts.count(lookupAnsEntryByName);
  expect(counts.show().counts).toEqual([]);
});
