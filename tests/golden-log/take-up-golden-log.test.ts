import { expect, test } from "vitest";
import { resultOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { expectUnchanged } from "./expect-unchanged.ts";
import { formatLog, readGoldenLog, TAKEN_UP } from "./golden-file.ts";
import { replayDigests } from "./replay-digests.ts";
import { tellTakeUpStory } from "./take-up-story.ts";

const { log } = readGoldenLog(TAKEN_UP);

test("the golden log of protocol version 3 replays to its digest, and is the one it ever was", () => {
  // Nothing here may ever change.
  expectUnchanged(TAKEN_UP, {
    digest: "bb466507cd5d93f94130df6fb96be2e5b297a997f65dd3312ab786fafb2618e9",
    sha256: "894acd003422e8a89463ed0dd9d0183539942669f237af04ff006800269fa8f4",
  });
});

test("the golden log of protocol version 3 has the activation, and every end of a request", () => {
  const results: string[] = [];
  replayDigests(log, (outcome, { content }) => {
    const kind = /^\["(\w+)"/.exec(content)?.[1];
    const { verdict } = outcome;
    const nodes = verdict.kind === "accepted" ? (verdict.transaction?.nodes ?? []) : [];
    const choices = nodes.flatMap((node) => (node.kind === "exercise" ? [node.choice] : []));
    if (kind === "ActivateVersion" || verdict.kind === "rejected")
      results.push(`${kind} ${resultOf(outcome)}`);
    results.push(...choices.filter((choice) => choice.startsWith("TakeUpRequest_")));
  });
  expect(results).toEqual([
    "Submit PACKAGE_NOT_FOUND",
    "ActivateVersion accepted",
    "Submit PACKAGE_NOT_FOUND",
    "ActivateVersion accepted",
    "ActivateVersion INVALID_ARGUMENT",
    "Submit DAML_FAILURE",
    "TakeUpRequest_Accept",
    "Submit LOCAL_VERDICT_INACTIVE_CONTRACTS",
    "TakeUpRequest_Discard",
    "TakeUpRequest_Withdraw",
    "TakeUpRequest_Accept",
    "Submit DAML_FAILURE",
    "TakeUpRequest_Discard",
  ]);
});

test("the story behind it gives the same bytes each time", () => {
  expect(formatLog(tellTakeUpStory())).toBe(formatLog(log));
});
