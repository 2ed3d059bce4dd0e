/** The status of each automation; a paused one holds up nothing else. */

import { expect, test } from "vitest";
import {
  AnsEntry,
  FeaturedAppActivityMarker,
  SubscriptionIdleState,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import type { AutomationStatus } from "../../packages/node/src/automation/automation-status.ts";
import { SV_AUTOMATION_NAMES, type SvAutomationName } from "../../packages/sv/src/automation/automations.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { featureApp, markActivity } from "./upkeep.ts";
import { Wallet } from "./wallet.ts";

const NAME = "alice.unverified.cns";

function statusOf({ automation }: UnservedSv, name: SvAutomationName): AutomationStatus {
  const found = automation.status().automations.find((status) => status.automation === name);
  if (found === undefined) throw new Error(`${name} is not shown`);
  return found;
}

async function restartWith(sv: UnservedSv, paused: readonly SvAutomationName[]): Promise<void> {
  await sv.automation.stop();
  sv.automation = sv.newAutomation(undefined, { paused });
  sv.automation.start();
}

test("every automation is shown, also one that never ran, and the totals are theirs", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal("1000.0"));
  await alice.buy(NAME);
  await network.moveAndSettle(HOUR);
  let executed = 0;
  for (const sv of network.svs) {
    const { automations, accepted, lost, failed, waiting } = sv.automation.status();
    expect(automations.map(({ automation }) => automation)).toEqual(SV_AUTOMATION_NAMES);
    const sum = (of: (status: AutomationStatus) => number) =>
      automations.reduce((all, its) => all + of(its), 0);
    expect({
      accepted: sum(({ done }) => done),
      lost: sum((its) => its.lost),
      failed: sum((its) => its.failed),
    }).toEqual({ accepted, lost, failed });
    expect(waiting).toBe(0);
    executed += statusOf(sv, "decide-first-payments").done;
    const entries = statusOf(sv, "expire-entries");
    expect(entries).toMatchObject({
      paused: false,
      done: 0,
      waiting: 0,
      waits: [],
      stuck: [],
      lastDoneAt: null,
    });
    expect(entries.nextDueAt).toBe(network.only(AnsEntry).payload.expiresAt + 1n);
    expect(statusOf(sv, "merge-traffic").nextDueAt).toBeNull();
    expect(statusOf(sv, "advance-rounds").nextDueAt).toBe(sv.agenda.rounds.findNextDue());
    const rewards = statusOf(sv, "receive-sv-rewards");
    expect(rewards.done).toBeGreaterThan(0);
    expect(rewards.lastDoneAt).toBeLessThanOrEqual(network.now);
    expect(rewards.lastDoneAt).toBeGreaterThan(network.now - HOUR);
  }
  // Three confirm, or four, and one executes.
  expect([4, 5]).toContain(executed);
});

test("a task that an SV has confirmed is shown as waiting for the confirmations of others", async () => {
  const network = await SvNetwork.found();
  await network.settle();
  const [first, second, ...away] = network.svs as [UnservedSv, UnservedSv, ...UnservedSv[]];
  for (const { automation } of away) await automation.stop();
  await network.moveClock(HOUR);
  await network.settle([first, second]);
  for (const sv of [first, second]) {
    expect(statusOf(sv, "summarize-rounds")).toMatchObject({
      done: 1,
      waiting: 1,
      waits: [
        {
          task: expect.stringContaining("CRARC_MiningRound_StartIssuing"),
          for: "confirmations",
          reason: null,
        },
      ],
    });
  }
  for (const { automation } of away) automation.start();
  await network.settle();
  for (const sv of network.svs)
    expect(statusOf(sv, "summarize-rounds")).toMatchObject({ waiting: 0, waits: [] });
});

test("a failed task is shown as waiting for its retry, with the reason", async () => {
  const network = await SvNetwork.found();
  await network.settle();
  const [cut, ...others] = network.svs as [UnservedSv, ...UnservedSv[]];
  await cut.automation.stop();
  cut.automation = cut.newAutomation(async () => {
    throw new Error("no sequencer answers");
  });
  cut.automation.start();
  await network.moveClock(HOUR);
  await network.settle(others);
  await cut.automation.idle();
  const status = statusOf(cut, "receive-sv-rewards");
  expect(status).toMatchObject({ done: 0, lost: 0, inFlight: 0, waiting: 1 });
  // On a slow machine there was time for a fifth.
  expect(status.failed).toBeGreaterThanOrEqual(4);
  const [wait] = status.waits;
  expect(wait).toMatchObject({ for: "another try", reason: "no sequencer answers" });
  expect(status.stuck).toEqual([
    { task: wait?.task, failures: status.failed, reason: "no sequencer answers" },
  ]);
});

test("an automation that all SVs pause does nothing, and no other one waits for it or spins", async () => {
  const network = await SvNetwork.found();
  const paused = ["expire-entries", "convert-activity-markers"] as const;
  for (const sv of network.svs) await restartWith(sv, paused);
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal("1000.0"));
  await alice.buy(NAME);
  await markActivity(alice, await featureApp(network, alice), 120);
  await network.settle();
  await network.moveAndSettle(91n * DAY);
  expect(network.active(AnsEntry)).toHaveLength(1);
  expect(network.active(FeaturedAppActivityMarker)).toHaveLength(120);
  expect(network.active(SubscriptionIdleState)).toEqual([]);
  for (const sv of network.svs)
    for (const name of paused)
      expect(statusOf(sv, name)).toMatchObject({ paused: true, done: 0, waiting: 0 });
  // An entry that changes nothing is all that the log gets.
  const { sequence } = await network.log.head();
  await network.moveAndSettle(1_000_000n);
  expect((await network.log.head()).sequence).toBe(sequence + 1);
  const due = network.first.automation.nextDue();
  expect(due).toBeGreaterThan(network.now);
  await restartWith(network.first, []);
  await network.settle();
  expect(network.active(AnsEntry)).toEqual([]);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  expect(statusOf(network.first, "expire-entries")).toMatchObject({ paused: false, done: 1 });
});

test("an SV whose automations are all paused submits nothing", async () => {
  const network = await SvNetwork.found();
  await network.settle();
  for (const sv of network.svs) await restartWith(sv, SV_AUTOMATION_NAMES);
  const { sequence } = await network.log.head();
  await network.moveAndSettle(DAY);
  expect((await network.log.head()).sequence).toBe(sequence + 1);
  await restartWith(network.first, []);
  await network.settle();
  expect(statusOf(network.first, "advance-rounds").done).toBe(1);
});

test("an automation that does not exist cannot be paused", async () => {
  const network = await SvNetwork.found();
  const paused = ["expire-everything"] as unknown as readonly SvAutomationName[];
  expect(() => network.first.newAutomation(undefined, { paused })).toThrow(
    /"expire-everything" is no automation of an SV; there are decide-first-payments, /,
  );
});
