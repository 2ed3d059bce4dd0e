// `npm run golden`: makes the log under tests/golden and the digests it must replay to.
// An existing log is overwritten only with --force; --append only adds to its end.

import { relative } from "node:path";
import {
  formatLog,
  hasGoldenLog,
  LOG_FILE,
  readGoldenLog,
  writeGoldenLog,
} from "../tests/golden-log/golden-file.ts";
import { tellGoldenStory } from "../tests/golden-log/golden-story.ts";
import { replayDigests } from "../tests/golden-log/replay-digests.ts";

const file = relative(process.cwd(), LOG_FILE);

function make(): void {
  const log = tellGoldenStory();
  const expected = replayDigests(log);
  writeGoldenLog(log, expected);
  console.log(`${file}: ${expected.entries} entries, digest ${expected.final}`);
}

/** Whether the log that is there is how the story begins, with the same digest at its end. */
function isBeginning(): boolean {
  const { log, expected } = readGoldenLog();
  const told = tellGoldenStory().slice(0, log.length);
  return formatLog(told) === formatLog(log) && replayDigests(told).final === expected.final;
}

if (!hasGoldenLog() || process.argv.includes("--force")) {
  make();
} else if (!process.argv.includes("--append")) {
  console.error(
    `${file} exists and was not touched.\n` +
      "If the story only goes on where it ended, add to it:\n" +
      "  npm run golden -- --append\n" +
      "To overwrite it is to change the protocol: a replica of this version would disagree with every replica\n" +
      "before it on what a log means. Do it together with a new protocol version, or while no network runs yet:\n" +
      "  npm run golden -- --force",
  );
  process.exitCode = 1;
} else if (isBeginning()) {
  make();
} else {
  console.error(
    `${file} was not touched: the story no longer begins with it, or it no longer replays to its digest.\n` +
      "Either is a change of the protocol.",
  );
  process.exitCode = 1;
}
