/** A golden log that is whole: replicas of every later program must agree with it. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { formatLog, type GoldenFiles, readGoldenLog } from "./golden-file.ts";
import { replayDigests } from "./replay-digests.ts";

/** If this fails, the protocol has changed: replicas of this version would disagree with those before it. */
export function expectUnchanged(
  files: GoldenFiles,
  known: { readonly digest: string; readonly sha256: string },
): void {
  const { log, expected } = readGoldenLog(files);
  expect(replayDigests(log)).toEqual(expected);
  expect(formatLog(log)).toBe(readFileSync(files.log, "utf8"));
  expect(expected.final).toBe(known.digest);
  expect(sha256(formatLog(log))).toBe(known.sha256);
}
