// A validator that crashes once after each change that it makes, before it sees the answer: nothing is lost, and nothing
// is done twice. The long test also crashes before each change, and in each operation anew.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CRASH_STEPS,
  DONE_STATUSES,
  delegateElsewhere,
  installElsewhere,
  passRound,
  proposeElsewhere,
  SLOW_STEPS,
  sweep,
} from "./crash-steps.ts";
import {
  CrashStory,
  listSpared,
  listWrites,
  listWritesOfSource,
  listWritingOperations,
} from "./crash-story.ts";

let story: CrashStory;

beforeAll(async () => {
  story = await CrashStory.open(["after"]);
});
afterAll(() => story?.close());

test("there is a step for every operation that changes anything", () => {
  const steps = Object.keys({ ...CRASH_STEPS, ...SLOW_STEPS });
  expect(steps.sort()).toEqual([...listWritingOperations()].sort());
});

test("a validator that crashes again and again in its first start has one party, one wallet and one license", async () => {
  expect(await story.begin()).toMatchObject({
    "contract ValidatorLicense": 1n,
    "contract ValidatorRight": 1n,
    "contract WalletAppInstall": 1n,
    parties: 1n,
    users: 1n,
  });
});

test.each([
  ...Object.entries(CRASH_STEPS),
  ["an automation that follows a wallet installed by another", installElsewhere] as const,
  ["an automation that mints for a party without a wallet", delegateElsewhere] as const,
  ["an automation that leaves a stranger's proposal alone", proposeElsewhere] as const,
  ["a sweep by an offer, which is accepted automatically,", sweep(false)] as const,
  ["a sweep by preapproval", sweep(true)] as const,
])("%s leaves the same on the ledger, wherever the validator crashes", async (name, step) => {
  const changes = await story.tell(step, DONE_STATUSES[name]);
  for (const change of changes) expect(change).toEqual(changes.at(-1));
});

test("a first top-up is bought once, and each open round gets one record of liveness", async () => {
  const topup = { targetThroughput: 20_000, minTopupIntervalSeconds: 60 };
  expect(await story.restartWith({ pausedAutomations: [], topup })).toMatchObject({
    "choice AmuletRules_BuyMemberTraffic": 1n,
    "choice ValidatorLicense_RecordValidatorLivenessActivity": 2n,
    "contract ValidatorTopUpState": 1n,
  });
  for (const change of await story.tell(passRound))
    expect(change).toMatchObject({ "choice ValidatorLicense_RecordValidatorLivenessActivity": 1n });
});

test("it has crashed at every point that it came to, and came to every statement that writes to its store", () => {
  expect(listSpared(story, ["after"])).toEqual([]);
  const written = new Set([...story.validator.statements].flatMap(listWrites));
  expect(listWritesOfSource().filter((write) => !written.has(write))).toEqual([]);
});

test("its wallets show what one shows that reads the whole ledger anew, and histories add up to balances", async () => {
  const kept = await story.readWallets();
  for (const { sum, balance } of kept) expect(sum).toBe(balance);
  await story.forget();
  expect(await story.readWallets()).toEqual(kept);
});
