import type { WireAutomationStatus } from "@callsign/api";
import { expect, test } from "vitest";
import { listLapses, orderAutomations, stateOf } from "./automation-order.ts";

function status(automation: string, given: Partial<WireAutomationStatus> = {}): WireAutomationStatus {
  return {
    ...{ automation, paused: false, done: 0, lost: 0, failed: 0, in_flight: 0, waiting: 0 },
    ...{ waits: [], stuck: [], next_due_at: null, last_done_at: null },
    ...given,
  };
}

const stuck = [{ task: "t", failures: 5, reason: "r" }];

test("stuck automations come first, then waiting and paused ones, then the others by name", () => {
  const given = [
    status("b"),
    status("paused", { paused: true, waiting: 2, stuck }),
    status("waiting", { waiting: 1 }),
    status("a", { in_flight: 1 }),
    status("stuck", { waiting: 1, stuck }),
  ];
  expect(orderAutomations(given).map(({ automation }) => automation)).toEqual([
    ...["stuck", "waiting", "paused", "a", "b"],
  ]);
  expect(given.map(stateOf)).toEqual(["resting", "paused", "waiting", "working", "stuck"]);
});

test("names that wait for coin are listed by their end, and other waits are left out", () => {
  const wait = (name: string, ends_at: string) => ({
    ...{ task: name, for: "coin" as const, reason: "" },
    details: { name, ends_at, coin_needed: "200.0", coin_available: "10.0" },
  });
  const turn = { task: "x", for: "turn" as const, reason: null, details: null };
  const automations = [
    status("a", { waits: [turn, wait("later", "2027-03-01T00:00:00Z")] }),
    status("b", { waits: [wait("sooner", "2027-02-01T00:00:00.5Z")] }),
  ];
  expect(listLapses(automations)).toEqual([
    { name: "sooner", endsAt: "2027-02-01T00:00:00.5Z", needed: "200.0", available: "10.0" },
    { name: "later", endsAt: "2027-03-01T00:00:00Z", needed: "200.0", available: "10.0" },
  ]);
});
