// `npm run golden`: makes the logs under tests/golden and the digests they must replay to.
// Existing logs are overwritten only with --force; --append only adds to their ends, and makes one that is missing.

import { relative } from "node:path";
import type { LogEntry } from "../packages/ledger/src/transition/log-entry.ts";
import { tellBackedTimeStory } from "../tests/golden-log/backed-time-story.ts";
import { tellContinuedStory } from "../tests/golden-log/continued-story.ts";
import {
  BACKED_TIME,
  CONTINUED,
  FOUNDED,
  formatLog,
  type GoldenFiles,
  hasGoldenLog,
  MOVED_TIME,
  PRIMARY_NAME,
  readGoldenLog,
  TAKEN_UP,
  writeGoldenLog,
} from "../tests/golden-log/golden-file.ts";
import { tellGoldenStory } from "../tests/golden-log/golden-story.ts";
import { tellPrimaryNameStory } from "../tests/golden-log/primary-name-story.ts";
import { replayDigests } from "../tests/golden-log/replay-digests.ts";
import { tellTakeUpStory } from "../tests/golden-log/take-up-story.ts";

interface Golden {
  readonly files: GoldenFiles;
  readonly tell: () => readonly LogEntry[];
  /** Those of the program if omitted. */
  readonly versions?: readonly bigint[];
}

/** The continued story goes on from the first log as it is kept. */
const LOGS: readonly Golden[] = [
  { files: FOUNDED, tell: tellGoldenStory },
  { files: TAKEN_UP, tell: tellTakeUpStory },
  { files: BACKED_TIME, tell: () => tellBackedTimeStory() },
  { files: MOVED_TIME, tell: () => tellBackedTimeStory(true) },
  { files: PRIMARY_NAME, tell: tellPrimaryNameStory },
  { files: CONTINUED, tell: () => tellContinuedStory(readGoldenLog(FOUNDED).log) },
];

function shown({ log }: GoldenFiles): string {
  return relative(process.cwd(), log);
}

function make({ files, tell, versions }: Golden): void {
  const log = tell();
  const expected = replayDigests(log, undefined, versions);
  writeGoldenLog(files, log, expected);
  console.log(`${shown(files)}: ${expected.entries} entries, digest ${expected.final}`);
}

/** True if the story begins with the log that is there, with the same digest at its end. */
function isBeginning({ files, tell, versions }: Golden): boolean {
  if (!hasGoldenLog(files)) return true;
  const { log, expected } = readGoldenLog(files);
  const told = tell().slice(0, log.length);
  return (
    formatLog(told) === formatLog(log) && replayDigests(told, undefined, versions).final === expected.final
  );
}

const [existing] = LOGS.filter(({ files }) => hasGoldenLog(files));
if (existing === undefined || process.argv.includes("--force")) {
  LOGS.forEach(make);
} else if (!process.argv.includes("--append")) {
  console.error(
    `${shown(existing.files)} exists and was not touched.\n` +
      "If the story only goes on where it ended, add to it:\n" +
      "  npm run golden -- --append\n" +
      "To overwrite it is to change the protocol: a replica of this version would disagree with every replica\n" +
      "before it on what a log means. Do it together with a new protocol version, or while no network runs yet:\n" +
      "  npm run golden -- --force",
  );
  process.exitCode = 1;
} else {
  for (const golden of LOGS) {
    if (isBeginning(golden)) {
      make(golden);
      continue;
    }
    console.error(
      `${shown(golden.files)} was not touched: the story no longer begins with it, or it no longer replays to its digest.\n` +
        "Either is a change of the protocol.",
    );
    process.exitCode = 1;
    break;
  }
}
