import { HttpError, LOG_UNWRITABLE, TransportError, type TransportFailure } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { submitEntry } from "./submit-entry.ts";

const site = { operation: "submit", url: "http://sequencer" };

function answer(status: number, message: string): Error {
  return new HttpError(site, status, { error: message });
}

function noAnswer(failure: TransportFailure, code: string): Error {
  const cause = Object.assign(new Error(code), { code });
  return new TransportError({ site, failure, problem: code }, { cause });
}

test.each([
  ["403", answer(403, "not signed"), { kind: "refused", overloaded: null, isUnwritable: false }],
  ["429", answer(429, "no traffic"), { kind: "refused", overloaded: "no traffic", isUnwritable: false }],
  ["a log that cannot be written", answer(503, LOG_UNWRITABLE), { kind: "refused", isUnwritable: true }],
  ["503 of a proxy", answer(503, "upstream reset"), { kind: "unknown" }],
  ["500", answer(500, "unexpected"), { kind: "unknown" }],
  ["no answer", noAnswer("timeout", "ETIMEDOUT"), { kind: "unknown" }],
  ["no connection", noAnswer("network", "ECONNREFUSED"), { kind: "refused" }],
])("an entry that every sequencer meets with %s", async (_, failure, expected) => {
  const receiver = { submit: () => Promise.reject(failure) };
  const handover = await submitEntry({
    receivers: [receiver, receiver, receiver],
    first: 1,
    envelope: { content: "", signatures: [] },
    patienceMilliseconds: 300,
    timers: systemHost.timers,
    signal: new AbortController().signal,
  });
  expect(handover).toMatchObject(expected);
});
