import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SvSet } from "../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { ReplicaHalt } from "../../packages/ledger/src/transition/replica-halt.ts";
import { resultOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { tellBackedTimeStory } from "./backed-time-story.ts";
import { BACKED_TIME, formatLog, MOVED_TIME, readGoldenLog } from "./golden-file.ts";
import { replayDigests } from "./replay-digests.ts";

const { log } = readGoldenLog(BACKED_TIME);

describe.each([
  ["of protocol version 4", BACKED_TIME, false],
  ["with a clock that can be moved", MOVED_TIME, true],
])("the golden log %s", (_, files, movableClock) => {
  const golden = readGoldenLog(files);

  test("replays to its digest, from its bytes", () => {
    expect(replayDigests(golden.log)).toEqual(golden.expected);
    expect(formatLog(golden.log)).toBe(readFileSync(files.log, "utf8"));
  });

  test("has a story behind it that gives the same bytes each time", () => {
    expect(formatLog(tellBackedTimeStory(movableClock))).toBe(formatLog(golden.log));
  });
});

test("a program without protocol version 4 stops at its activation", () => {
  const applied: string[] = [];
  const earlier = [1n, 2n, 3n];
  const replay = () => replayDigests(log, (_outcome, { content }) => applied.push(content), earlier);
  expect(replay).toThrow(ReplicaHalt);
  expect(log[applied.length]?.content).toContain("ActivateVersion");
});

test("its SVs change twice, and a quorum attests both sets", () => {
  const sets = new Map<bigint, SvSet>();
  replayDigests(log, ({ changes }) => {
    for (const change of changes) if (change.kind === "sv-set") sets.set(change.set.serial, change.set);
  });
  expect([...sets.values()].map(({ svs, attestations }) => [svs.length, attestations.length])).toEqual([
    [5, 3],
    [4, 4],
  ]);
});

test("its SVs agree on a snapshot that one of them does not attest", () => {
  const agreed: number[] = [];
  replayDigests(log, ({ changes }) => {
    for (const change of changes)
      if (change.kind === "snapshot" && change.sv === null) agreed.push(change.snapshot.attestations.length);
  });
  expect(agreed).toEqual([3]);
});

function tellResults(from: readonly LogEntry[]) {
  const forms = new Set<string>();
  const results = new Set<string>();
  replayDigests(from, (outcome, { content, stampedAt, stampedBy }) => {
    const counted = outcome.changes.some(({ kind }) => kind === "stamp");
    const form = stampedAt === null ? "none" : stampedBy === undefined ? "plain" : "signed";
    forms.add(`${form}${counted ? ", counted" : ""}`);
    results.add(`${/^\["(\w+)"/.exec(content)?.[1]} ${resultOf(outcome)}`);
  });
  return { forms: [...forms].sort(), results };
}

test("it has stamps of every form, refused newcomers, and members that are licensed", () => {
  const { forms, results } = tellResults(log);
  // The activation counts as the first stamp of every SV.
  expect(forms).toEqual(["none", "plain", "plain, counted", "signed", "signed, counted"]);
  for (const result of [
    "ActivateVersion accepted",
    "RegisterMember accepted",
    "RegisterMember SEQUENCER_BACKPRESSURE",
    "Submit SEQUENCER_BACKPRESSURE",
    "Submit accepted",
    "MoveClock INVALID_ARGUMENT",
    "AttestSvs accepted",
    "AttestSvs PERMISSION_DENIED",
    "AttestSvs UNAUTHENTICATED",
  ])
    expect(results).toContain(result);
});

test("with a clock that can be moved it is moved, and no newcomer is refused", () => {
  const { results } = tellResults(readGoldenLog(MOVED_TIME).log);
  expect(results).toContain("MoveClock accepted");
  expect(results).not.toContain("RegisterMember SEQUENCER_BACKPRESSURE");
});
