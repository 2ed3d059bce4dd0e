// A validator that crashes once after each change that it makes, before it sees the answer: nothing is lost, and nothing
// is done twice. The long test also crashes before each change, and in each operation anew.

import { afterAll, beforeAll, expect, test } from "vitest";
import { AUTOMATION_STEPS, CRASH_STEPS, DONE_STATUSES, passRound, SLOW_STEPS } from "./crash-steps.ts";
import {
  CrashStory,
  FIRST_EARNING,
  FIRST_START,
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
  expect(await story.begin()).toMatchObject(FIRST_START);
});

test.each(Object.entries({ ...CRASH_STEPS, ...AUTOMATION_STEPS }))(
  "%s leaves the same on the ledger, wherever the validator crashes",
  async (name, step) => {
    const changes = await story.tell(step, DONE_STATUSES[name]);
    for (const change of changes) expect(change).toEqual(changes.at(-1));
  },
);

test("a first top-up is bought once, and each open round gets one record of liveness", async () => {
  expect(await story.startEarning()).toMatchObject(FIRST_EARNING);
  for (const change of await story.tell(passRound))
    expect(change).toMatchObject({ "choice ValidatorLicense_RecordValidatorLivenessActivity": 1n });
});

test("it has crashed at every point that it came to, and came to every statement that writes to its store", () => {
  expect(listSpared(story, ["after"])).toEqual([]);
  const written = new Set([...story.validator.statements].flatMap(listWrites));
  expect(listWritesOfSource().filter((write) => !written.has(write))).toEqual([]);
});

test("its wallets show what one shows that reads the whole ledger anew, and histories add up to balances", async () => {
  await story.expectWalletsKept();
});
