import { expect, test } from "vitest";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { resultOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { tellContinuedStory } from "./continued-story.ts";
import { expectUnchanged } from "./expect-unchanged.ts";
import { CONTINUED, formatLog, readGoldenLog } from "./golden-file.ts";
import { newTransition, replayDigests } from "./replay-digests.ts";

const founded = readGoldenLog().log;
const { log } = readGoldenLog(CONTINUED);

test("the golden log of a continued network replays to its digest, and is the one it ever was", () => {
  // Nothing here may ever change.
  expectUnchanged(CONTINUED, {
    digest: "739fc2d70490ab7e4f9783d359e2ed0037294470ac2e8d33a3b2543837d3d151",
    sha256: "c9f171cd051d673c68a8f06fde72420888be0518d50662525058663c6cc68d51",
  });
});

test("the golden log of a continued network has what a new log may begin with", () => {
  const results: string[] = [];
  replayDigests(log, (outcome, { content }) => {
    results.push(`${/^\["(\w+)"/.exec(content)?.[1]} ${resultOf(outcome)}`);
  });
  expect(results).toEqual([
    "ContinueNetwork accepted",
    "ContinueNetwork INVALID_ARGUMENT",
    "Tick SEQUENCER_BACKPRESSURE",
    "ImportState INVALID_ARGUMENT",
    "ImportState accepted",
    "ImportState accepted",
    "ImportState accepted",
    "ImportState INVALID_ARGUMENT",
    "Tick accepted",
    "Submit accepted",
    "Submit DUPLICATE_COMMAND",
    "Submit INVALID_ARGUMENT",
  ]);
});

test("the golden log of a continued network takes over the state of the golden log", () => {
  const transition = newTransition();
  const [before, after] = [new MemoryState(), new MemoryState()];
  for (const entry of founded) before.absorb(transition.apply(entry, before));
  for (const entry of log.slice(0, 8)) after.absorb(transition.apply(entry, after));
  expect([...after.listCarried()]).toEqual([...before.listCarried()]);
  expect(after.network?.migrationId).toBe((before.network?.migrationId ?? 0n) + 1n);
});

test("the story behind it gives the same bytes each time", () => {
  expect(formatLog(tellContinuedStory(founded))).toBe(formatLog(log));
});
