import { spliceError } from "@callsign/api";
import { time } from "@callsign/ledger";
import { RawJson, Refusal, Reply, systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { ScanClock } from "./scan-clock.ts";
import { stampAnswer } from "./stamp-answer.ts";

const clock = new ScanClock({
  now: () => time("2026-01-01T00:00:00.5Z"),
  onApplied: () => () => undefined,
  timers: systemHost.timers,
  maxWaitMilliseconds: 0,
});
const stamp = { "x-callsign-record-time": "2026-01-01T00:00:00.5Z" };

test.each([
  ["an object", { amount: "1.0000000000" }, 200, {}],
  ["a text", new RawJson("{}"), 200, {}],
  [
    "a reply",
    new Reply(new RawJson("{}"), { status: 202, headers: { deprecation: "@1" } }),
    202,
    { deprecation: "@1" },
  ],
])("%s that is sent later carries the time at which it was made", (_, answer, status, headers) => {
  const content = answer instanceof Reply ? answer.answer : answer;
  const stamped = stampAnswer(clock, () => answer as RawJson);
  expect(stamped).toEqual(new Reply(content, { status, headers: { ...headers, ...stamp } }));
});

test("a refusal that is sent later carries the time at which it was made; a defect is rethrown unchanged", () => {
  const refusal = spliceError(404, "No");
  const refuse = () => {
    throw new Refusal(refusal);
  };
  const wanted = { rejection: { ...refusal, headers: { ...refusal.headers, ...stamp } } };
  expect(() => stampAnswer(clock, refuse)).toThrow(expect.objectContaining(wanted));
  const defect = new Error("a defect");
  const fail = () => {
    throw defect;
  };
  expect(() => stampAnswer(clock, fail)).toThrow(defect);
});
