import { expect, test } from "vitest";
import { compareSubmissions, listImpossible } from "./check-log.ts";
import type { SubmissionRecord, SubmissionState } from "./submission-record.ts";

function record(
  state: SubmissionState,
  times: { sentAt?: number; acknowledgedAt?: number } = {},
): SubmissionRecord {
  return { commandId: "one", state, errorCode: null, sentAt: 0, acknowledgedAt: null, ...times };
}

test.each<[SubmissionState, number, boolean]>([
  ["acknowledged", 0, false],
  ["acknowledged", 1, true],
  ["acknowledged", 2, false],
  ["refused", 0, true],
  ["refused", 1, false],
  ["rejected", 1, true],
  ["rejected", 2, false],
  ["unknown", 0, true],
  ["unknown", 1, true],
  ["unknown", 2, false],
])("a submission that is %s may be in the log %i times: %s", (state, count, isRight) => {
  const problems = compareSubmissions([record(state)], new Map([["one", count]]));
  expect(problems.length === 0).toBe(isRight);
});

test("a submission that was sent and acknowledged within an outage is found", () => {
  const outages = [{ from: 10, to: 20 }];
  const impossible = record("acknowledged", { sentAt: 11, acknowledgedAt: 19 });
  const before = record("acknowledged", { sentAt: 9, acknowledgedAt: 19 });
  const after = record("acknowledged", { sentAt: 11, acknowledgedAt: 21 });
  expect(listImpossible([before, after], outages)).toEqual([]);
  expect(listImpossible([before, impossible, after], outages)).toHaveLength(1);
});
