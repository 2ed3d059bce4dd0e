// Completion in fish, and in zsh at the keyboard. Both shells are installed where root may.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { askForService } from "../support/ask-for-service.ts";
import { RealTerminal } from "./real-terminal.ts";
import { runHere } from "./run-here.ts";

async function writeScript(shell: string): Promise<string> {
  const { said } = await runHere(["completion", shell]);
  const script = join(temporaryFolder(), "completion");
  writeFileSync(script, said);
  return script;
}

describe("fish", () => {
  test.for([
    ["callsign re", ["register", "renew", "resolve", "restore"]],
    ["callsign clock ", ["forward"]],
    ["callsign clock forward --e", ["--every-round"]],
    ["callsign misbehave ", ["1", "2", "3", "4"]],
    ["callsign misbehave 3 l", ["lag", "lie"]],
    ["callsign misbehave --json 3 l", ["lag", "lie"]],
    ["callsign up --log ", ["debug", "error", "info", "warn"]],
    ["callsign auto-renewal alice ", ["off", "on"]],
    ["callsign backup ", ["participant", "scan", "sv", "validator"]],
    ["callsign resolve --js", ["--json"]],
    ["callsign completion ", ["bash", "fish", "zsh"]],
  ] as const)("completes %j", async ([line, expected], context) => {
    await askForService("package/fish", context);
    const command = `source ${await writeScript("fish")}; complete -C "${line}"`;
    const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", command], { encoding: "utf8" });
    const words = stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0]]));
    expect([stderr, words.sort()]).toEqual(["", [...expected]]);
  });
});

test("zsh completes commands, their words and their options", async (context) => {
  await askForService("package/tmux", context);
  await askForService("package/zsh", context);
  const script = await writeScript("zsh");
  const terminal = await RealTerminal.open("true");
  onTestFinished(() => terminal.close());
  const setUp = `autoload -U compinit && compinit -u -D; source ${script}; clear`;
  await terminal.begin("PROMPT='zsh> ' zsh -f");
  await terminal.shows(/^zsh>$/m);
  terminal.press(setUp, "Enter");
  await terminal.shows(/^zsh>\n$/);
  terminal.press("callsign misb", "Tab");
  await terminal.shows(/^zsh> callsign misbehave$/m);
  terminal.press("3 l", "Tab", "Tab");
  await terminal.shows(/^lag +lie$/m);
  terminal.press("C-u", "callsign clo", "Tab", "for", "Tab", "60d --e", "Tab");
  await terminal.shows(/^zsh> callsign clock forward 60d --every-round/m);
  expect(terminal.screen()).not.toMatch(/error|not found/);
});
