// `npm run golden`: makes the log under tests/golden and the digests it must replay to.
// It does not overwrite them unless told to with --force.

import { relative } from "node:path";
import { hasGoldenLog, LOG_FILE, writeGoldenLog } from "../tests/golden-log/golden-file.ts";
import { tellGoldenStory } from "../tests/golden-log/golden-story.ts";
import { replayDigests } from "../tests/golden-log/replay-digests.ts";

const file = relative(process.cwd(), LOG_FILE);

if (hasGoldenLog() && !process.argv.includes("--force")) {
  console.error(
    `${file} exists and was not touched.\n` +
      "To overwrite it is to change the protocol: a replica of this version would disagree with every replica\n" +
      "before it on what a log means. Do it together with a new protocol version, or while no network runs yet:\n" +
      "  npm run golden -- --force",
  );
  process.exitCode = 1;
} else {
  const log = tellGoldenStory();
  const expected = replayDigests(log);
  writeGoldenLog(log, expected);
  console.log(`${file}: ${expected.entries} entries, digest ${expected.final}`);
}
