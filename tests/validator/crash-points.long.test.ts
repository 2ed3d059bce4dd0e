// A validator that crashes before and after each change that it makes, in each operation anew, and while months pass.

import { afterAll, beforeAll, expect, test } from "vitest";
import { VALIDATOR_AUTOMATION_NAMES } from "../../packages/validator/src/automation/validator-automation.ts";
import {
  CRASH_STEPS,
  DONE_STATUSES,
  delegateElsewhere,
  installElsewhere,
  passMonths,
  passRound,
  proposeElsewhere,
  SLOW_STEPS,
  sweep,
} from "./crash-steps.ts";
import { CrashStory } from "./crash-story.ts";
import type { Counts } from "./ledger-world.ts";

/** They depend on the stops of the clock, and on what earlier steps burned. */
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
  expect(await story.begin()).toMatchObject({
    "contract ValidatorLicense": 1n,
    "contract ValidatorRight": 1n,
    "contract WalletAppInstall": 1n,
    parties: 1n,
    users: 1n,
  });
});

test("another contact point is written into the license once, although its writer crashes", async () => {
  await story.scene.pass(3_600_000_000n);
  const change = await story.restartWith({ contactPoint: "somebody@example.com" });
  expect(change).toMatchObject({ "choice ValidatorLicense_UpdateMetadata": 1n });
});

test.each([
  ...Object.entries({ ...CRASH_STEPS, ...SLOW_STEPS }),
  ["an automation that renews and expires", passMonths] as const,
  ["an automation that follows a wallet installed by another", installElsewhere] as const,
  ["an automation that mints for a party without a wallet", delegateElsewhere] as const,
  ["an automation that leaves a stranger's proposal alone", proposeElsewhere] as const,
  ["a sweep by an offer, which is accepted automatically,", sweep(false)] as const,
  ["a sweep by preapproval", sweep(true)] as const,
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
  const topup = { targetThroughput: 20_000, minTopupIntervalSeconds: 60 };
  expect(await story.restartWith({ pausedAutomations: [], topup })).toMatchObject({
    "choice AmuletRules_BuyMemberTraffic": 1n,
    "choice ValidatorLicense_RecordValidatorLivenessActivity": 2n,
    "contract ValidatorTopUpState": 1n,
  });
  await story.scene.passRounds();
  const changes = await story.tell(passRound);
  expect(changes.at(-1)).toMatchObject({ "choice ValidatorLicense_RecordValidatorLivenessActivity": 1n });
  for (const change of changes) expect(change).toEqual(changes.at(-1));
});

test("all automations took part", () => {
  // Their only task is done when the crash after it is over.
  const active = [...story.validator.active, "top-up-traffic", "update-license-metadata"];
  expect(VALIDATOR_AUTOMATION_NAMES.filter((name) => !active.includes(name))).toEqual([]);
});

test("its wallets show what one shows that reads the whole ledger anew, and histories add up to balances", async () => {
  const kept = await story.readWallets();
  for (const { sum, balance } of kept) expect(sum).toBe(balance);
  await story.forget();
  expect(await story.readWallets()).toEqual(kept);
});
