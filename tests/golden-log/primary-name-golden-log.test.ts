import { expect, test } from "vitest";
import { PrimaryName } from "../../packages/ledger/src/contracts/callsign-names/declarations/primary-name.ts";
import { ReplicaHalt } from "../../packages/ledger/src/transition/replica-halt.ts";
import { resultOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { expectUnchanged } from "./expect-unchanged.ts";
import { formatLog, PRIMARY_NAME, readGoldenLog } from "./golden-file.ts";
import { tellPrimaryNameStory } from "./primary-name-story.ts";
import { replayDigests } from "./replay-digests.ts";

const { log } = readGoldenLog(PRIMARY_NAME);

test("the golden log of protocol version 5 replays to its digest, and is the one it ever was", () => {
  // Nothing here may ever change.
  expectUnchanged(PRIMARY_NAME, {
    digest: "8bcdccacadb14a846fb83e081cdaf7660ae7b8a04cf01de3124c631d2781f1c4",
    sha256: "fd45417eed28a805f749ad829705f98e617f226f1e19d9aed43a67977a6f6ab0",
  });
});

test("the golden log of protocol version 5 has the activation, and every end of a primary name", () => {
  const results: string[] = [];
  replayDigests(log, (outcome, { content }) => {
    const kind = /^\["(\w+)"/.exec(content)?.[1];
    const { verdict } = outcome;
    const nodes = verdict.kind === "accepted" ? (verdict.transaction?.nodes ?? []) : [];
    if (kind === "ActivateVersion" || (kind === "Submit" && verdict.kind === "rejected"))
      results.push(`${kind} ${resultOf(outcome)}`);
    for (const node of nodes) {
      if (node.kind === "create" && node.contract.templateId === PrimaryName.id && nodes.length === 1)
        results.push("PrimaryName");
      if (node.kind === "exercise" && node.templateId === PrimaryName.id) results.push(node.choice);
    }
  });
  expect(results).toEqual([
    "Submit PACKAGE_NOT_FOUND",
    "ActivateVersion accepted",
    "PrimaryName",
    // In another's name.
    "Submit DAML_AUTHORIZATION_ERROR",
    // A text that is longer than any name.
    "Submit DAML_FAILURE",
    // The name of another: the ledger accepts it, and it does not count.
    "PrimaryName",
    // The contract of another, which its submitter does not see.
    "Submit LOCAL_VERDICT_INACTIVE_CONTRACTS",
    "PrimaryName_Set",
    "PrimaryName_Remove",
    "PrimaryName_Set",
    "PrimaryName",
    "PrimaryName_Remove",
    "PrimaryName_Set",
    "Submit LOCAL_VERDICT_INACTIVE_CONTRACTS",
    "PrimaryName_Remove",
    "Submit LOCAL_VERDICT_INACTIVE_CONTRACTS",
  ]);
});

test("the story behind it gives the same bytes each time", () => {
  expect(formatLog(tellPrimaryNameStory())).toBe(formatLog(log));
});

test("a program without protocol version 5 stops at its activation", () => {
  const applied: string[] = [];
  const earlier = [1n, 2n, 3n, 4n];
  const replay = () => replayDigests(log, (_outcome, { content }) => applied.push(content), earlier);
  expect(replay).toThrow(ReplicaHalt);
  expect(log[applied.length]?.content).toContain("ActivateVersion");
});
