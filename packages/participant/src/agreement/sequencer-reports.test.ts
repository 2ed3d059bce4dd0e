import { expect, test } from "vitest";
import { readTime } from "./sequencer-consensus.ts";
import { SequencerReports } from "./sequencer-reports.ts";

const quorum = { history: 3, voices: 2 };
const recordTime = readTime("2026-01-01T00:00:00Z");

test("a sequencer that had more than is stored, and now has less, has gone back, also after an outage", () => {
  const reports = new SequencerReports({ quorum, stored: 0 });
  reports.hear(0, { recordTime, end: 10 });
  reports.markStored(10);
  reports.forget(0);
  expect(reports.hasGoneBack(0, 9)).toBe(true);
  expect(reports.hasGoneBack(0, 10)).toBe(false);
});

test("a sequencer that lags has not gone back, nor has one that still has what is stored", () => {
  const reports = new SequencerReports({ quorum, stored: 10 });
  reports.hear(0, { recordTime, end: 7 });
  expect(reports.hasGoneBack(0, 8)).toBe(false);
  expect(reports.hasGoneBack(1, 3)).toBe(false);
  reports.hear(1, { recordTime, end: 20 });
  expect(reports.hasGoneBack(1, 15)).toBe(false);
});

test("the stream is complete up to a time that a quorum has reached with nothing more to deliver", () => {
  const reports = new SequencerReports({ quorum, stored: 10 });
  const later = readTime("2026-01-01T00:00:01Z");
  for (const source of [0, 1]) reports.hear(source, { recordTime: later, end: 10 });
  reports.hear(2, { recordTime: later, end: 11 });
  expect([reports.hasPassed(recordTime), reports.recordTime, reports.isMember()]).toEqual([
    false,
    undefined,
    true,
  ]);
  reports.hear(3, { recordTime, end: 10 });
  expect([reports.hasPassed(recordTime), reports.recordTime]).toEqual([false, recordTime]);
  reports.hear(3, { recordTime: later, end: 10 });
  expect([reports.hasPassed(recordTime), reports.recordTime]).toEqual([true, later]);
});
