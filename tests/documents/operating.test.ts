// Writes the values files of docs/operating.md and runs its commands in one shell, on a loopback address of their own.

import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runHere } from "../cli/run-here.ts";
import { matchesOutput, parseConsoleBlocks } from "./console-blocks.ts";
import { ownAddress, readOperatingPage, writeValuesFiles } from "./operating-page.ts";
import { Shell } from "./shell.ts";

const root = join(import.meta.dirname, "../..");
/** `npm run -s callsign --` without npm, which would not hand on signals in time. */
const CALLSIGN = [
  `env NODE_COMPILE_CACHE=${join(root, ".cache/compile")}`,
  `${process.execPath} --disable-warning=ExperimentalWarning packages/cli/src/main.ts`,
].join(" ");
const folder = temporaryFolder(atEndOfFile());
const address = ownAddress(1);
const page = readOperatingPage(folder, address).replaceAll("npm run -s callsign --", CALLSIGN);
writeValuesFiles(page, folder);

const shell = new Shell(root);
afterAll(async () => {
  await shell.run("kill $(jobs -p); wait");
  shell.close();
});

test.each(parseConsoleBlocks(page))("line $line: $command", async (documented) => {
  const { command, output } = documented;
  const answer = await (/^\$CALLSIGN [^|&]*$/.test(command) ? runInProcess(command) : shell.run(command));
  expect(matchesOutput(output, answer) ? "as documented" : { command, documented: output, answer }).toBe(
    "as documented",
  );
});

test("a role stops by SIGTERM with 0 although a call is in flight", async () => {
  // The call waits for the rest of its body.
  const call = connect(7575, address);
  call.write(
    "POST /v2/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  );
  call.on("error", () => undefined);
  expect((await fetch(`http://${address}:7575/livez`)).status).toBe(200);
  const codes = await shell.run("for job in $(jobs -p); do kill $job; wait $job; echo $?; done");
  expect(codes).toBe("0\n0\n0\n");
  expect(readdirSync(join(folder, "participant"))).toContain("participant.sqlite");
});

/** A command that ends by itself; the shell expands its words. */
async function runInProcess(command: string): Promise<string> {
  const words = await shell.run(command.replace("$CALLSIGN", "printf '%s\\n'"));
  const { said, complained } = await runHere(words.trimEnd().split("\n"));
  return said + complained;
}
