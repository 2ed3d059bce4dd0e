// A validator that crashes before and after each change that it makes, in each operation anew, and while months pass.

import { afterAll, beforeAll, expect, test } from "vitest";
import { VALIDATOR_AUTOMATION_NAMES } from "../../packages/validator/src/automation/validator-automation.ts";
import {
  AUTOMATION_STEPS,
  CRASH_STEPS,
  DONE_STATUSES,
  passMonths,
  passRound,
  SLOW_STEPS,
} from "./crash-steps.ts";
import { CrashStory, FIRST_EARNING, FIRST_START } from "./crash-story.ts";
import type { Counts } from "./ledger-world.ts";

/** Counts that depend on the stops of the clock, and on the coin that earlier steps burned. */
const BY_TIME = [
  "choice ValidatorLicense_ReportActive",
  "choice ValidatorRewardCoupon_DsoExpire",
  "contract ValidatorRewardCoupon",
];

let story: CrashStory;

beforeAll(async () => {
  story = await CrashStory.open(["before", "after"]);
});
afterAll(() => story?.close());

function withoutTime(change: Counts): Counts {
  return Object.fromEntries(Object.entries(change).filter(([key]) => !BY_TIME.includes(key)));
}

test("a validator that crashes again and again in its first start has one party, one wallet and one license", async () => {
  expect(await story.begin()).toMatchObject(FIRST_START);
});

test("another contact point is written into the license once, although its writer crashes", async () => {
  await story.scene.pass(3_600_000_000n);
  const change = await story.restartWith({ contactPoint: "somebody@example.com" });
  expect(change).toMatchObject({ "choice ValidatorLicense_UpdateMetadata": 1n });
});

test.each([
  ...Object.entries({ ...CRASH_STEPS, ...SLOW_STEPS }),
  // The delegations of the steps behind it would end in these months.
  ["an automation that renews and expires", passMonths] as const,
  ...Object.entries(AUTOMATION_STEPS),
])(
  "%s leaves the same on the ledger, wherever the validator crashes",
  { timeout: 180_000 },
  async (name, step) => {
    story.validator.scope = `${name}: `;
    const changes = (await story.tell(step, DONE_STATUSES[name])).map(withoutTime);
    for (const change of changes) expect(change).toEqual(changes.at(-1));
  },
);

test("a first top-up is bought once, and each open round gets one record of liveness", async () => {
  story.validator.scope = "earning: ";
  expect(await story.startEarning()).toMatchObject(FIRST_EARNING);
  await story.scene.passRounds();
  const changes = await story.tell(passRound);
  expect(changes.at(-1)).toMatchObject({ "choice ValidatorLicense_RecordValidatorLivenessActivity": 1n });
  for (const change of changes) expect(change).toEqual(changes.at(-1));
});

test("all automations took part", () => {
  // The crash after the only task of each of these two resets its count.
  const active = [...story.validator.active, "top-up-traffic", "update-license-metadata"];
  expect(VALIDATOR_AUTOMATION_NAMES.filter((name) => !active.includes(name))).toEqual([]);
});

test("its wallets show what one shows that reads the whole ledger anew, and histories add up to balances", async () => {
  await story.expectWalletsKept();
});
