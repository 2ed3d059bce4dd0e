// Writes the values files of docs/operating.md and runs its commands in one shell, on a loopback address of their own.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { matchesOutput, parseConsoleBlocks } from "./console-blocks.ts";
import { Shell } from "./shell.ts";

const root = join(import.meta.dirname, "../..");
/** `npm run -s callsign --` without npm, which would not hand on signals in time. */
const CALLSIGN = [
  `env NODE_COMPILE_CACHE=${join(root, ".cache/compile")}`,
  `${process.execPath} --disable-warning=ExperimentalWarning packages/cli/src/main.ts`,
].join(" ");
const folder = temporaryFolder(atEndOfFile());
/** The document's ports must be free on it. */
const address = `127.1.${(process.pid >> 8) % 256}.${1 + (process.pid % 254)}`;

const document = readFileSync(join(root, "docs/operating.md"), "utf8")
  .replaceAll(".data/acme", folder)
  .replaceAll("127.0.0.1", address)
  .replace("npm run -s callsign --", CALLSIGN);

for (const [, values = "", name = ""] of document.matchAll(/```yaml\n(# ([\w-]+\.yaml)[\s\S]*?)```/g))
  writeFileSync(join(folder, name), values);

const shell = new Shell(root);
afterAll(async () => {
  await shell.run("kill $(jobs -p); wait");
  shell.close();
});

test.each(parseConsoleBlocks(document))("line $line: $command", { timeout: 90_000 }, async (documented) => {
  const { command, output } = documented;
  const answer = await shell.run(command);
  expect(matchesOutput(output, answer) ? "as documented" : { command, documented: output, answer }).toBe(
    "as documented",
  );
});
