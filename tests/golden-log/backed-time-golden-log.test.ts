import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SvSet } from "../../packages/ledger/src/transition/ledger-view.ts";
import { VERSIONS_WITH_DRAFT } from "../../packages/ledger/src/transition/limits.ts";
import { ReplicaHalt } from "../../packages/ledger/src/transition/replica-halt.ts";
import { resultOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { tellBackedTimeStory } from "./backed-time-story.ts";
import { BACKED_TIME, formatLog, readGoldenLog } from "./golden-file.ts";
import { replayDigests } from "./replay-digests.ts";

const { log, expected } = readGoldenLog(BACKED_TIME);

test("the golden log of protocol version 4 replays to its digest, from its bytes", () => {
  expect(replayDigests(log, undefined, VERSIONS_WITH_DRAFT)).toEqual(expected);
  expect(formatLog(log)).toBe(readFileSync(BACKED_TIME.log, "utf8"));
});

test("the story behind it gives the same bytes each time", () => {
  expect(formatLog(tellBackedTimeStory())).toBe(formatLog(log));
});

test("a program without protocol version 4 stops at its activation", () => {
  const applied: string[] = [];
  const replay = () => replayDigests(log, (_outcome, { content }) => applied.push(content));
  expect(replay).toThrow(ReplicaHalt);
  expect(log[applied.length]?.content).toContain("ActivateVersion");
});

test("its SVs change twice, and a quorum attests both sets", () => {
  const sets = new Map<bigint, SvSet>();
  replayDigests(
    log,
    ({ changes }) => {
      for (const change of changes) if (change.kind === "sv-set") sets.set(change.set.serial, change.set);
    },
    VERSIONS_WITH_DRAFT,
  );
  expect([...sets.values()].map(({ svs, attestations }) => [svs.length, attestations.length])).toEqual([
    [5, 3],
    [4, 4],
  ]);
});

test("its SVs agree on a snapshot that one of them does not attest", () => {
  const agreed: number[] = [];
  replayDigests(
    log,
    ({ changes }) => {
      for (const change of changes)
        if (change.kind === "snapshot" && change.sv === null)
          agreed.push(change.snapshot.attestations.length);
    },
    VERSIONS_WITH_DRAFT,
  );
  expect(agreed).toEqual([3]);
});

test("it has stamps of every form, refused newcomers, and members that are licensed", () => {
  const forms = new Set<string>();
  const results = new Set<string>();
  replayDigests(
    log,
    (outcome, { content, stampedAt, stampedBy }) => {
      const counted = outcome.changes.some(({ kind }) => kind === "stamp");
      const form = stampedAt === null ? "none" : stampedBy === undefined ? "plain" : "signed";
      forms.add(`${form}${counted ? ", counted" : ""}`);
      results.add(`${/^\["(\w+)"/.exec(content)?.[1]} ${resultOf(outcome)}`);
    },
    VERSIONS_WITH_DRAFT,
  );
  // The activation counts as the first stamp of every SV.
  expect([...forms].sort()).toEqual(["none", "plain", "plain, counted", "signed", "signed, counted"]);
  for (const result of [
    "ActivateVersion accepted",
    "RegisterMember accepted",
    "RegisterMember SEQUENCER_BACKPRESSURE",
    "Submit SEQUENCER_BACKPRESSURE",
    "Submit accepted",
    "MoveClock accepted",
    "AttestSvs accepted",
    "AttestSvs PERMISSION_DENIED",
    "AttestSvs UNAUTHENTICATED",
  ])
    expect(results).toContain(result);
});
