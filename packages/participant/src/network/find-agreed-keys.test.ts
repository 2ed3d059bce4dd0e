import { HttpError, type RegisteredMember } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { findAgreedKeys } from "./find-agreed-keys.ts";

type Answer = RegisteredMember | null | Error;

const first = { member: "alice", signingKeys: ["old"], keySerial: 1 };
const second = { member: "alice", signingKeys: ["old", "new"], keySerial: 2 };
const forged = { member: "alice", signingKeys: ["forged"], keySerial: 9 };
const down = new Error("ECONNREFUSED");
const older = new HttpError({ operation: "findMember", url: "http://sequencer" }, 404, {
  error: "There is nothing there",
});

/** Asks sequencers that answer so; two must agree. */
function ask(answers: readonly Answer[]) {
  const clients = answers.map((answer) => ({
    url: "http://sequencer",
    findKeys: async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  }));
  return findAgreedKeys(clients, { needed: 2, host: systemHost, signal: new AbortController().signal });
}

test.each<[string, readonly Answer[], unknown]>([
  ["all have the same", [first, first, first, first], { signingKeys: ["old"], serial: 1n }],
  ["some lag", [first, second, second, first], { signingKeys: ["old", "new"], serial: 2n }],
  ["one is ahead", [first, second, first, first], { signingKeys: ["old"], serial: 1n }],
  ["one lies", [forged, first, first, first], { signingKeys: ["old"], serial: 1n }],
  ["two do not answer", [down, down, first, first], { signingKeys: ["old"], serial: 1n }],
  ["the member is unknown", [null, null, null, forged], null],
  ["a member was just registered", [null, null, first, first], { signingKeys: ["old"], serial: 1n }],
])("%s", async (_, answers, expected) => {
  expect(await ask(answers)).toEqual(expected);
});

test.each<[string, readonly Answer[], RegExp]>([
  ["too few answer", [down, down, down, first], /1 of 4 sequencers tell the keys of this member, and 2 must/],
  ["no two have the same", [first, second, forged, down], /do not agree/],
  ["the sequencers are older", [older, older, older, older], /an older release/],
])("%s: no keys", async (_, answers, reason) => {
  await expect(ask(answers)).rejects.toThrow(reason);
});
