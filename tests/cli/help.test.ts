// Help of every command, its examples, and completion in bash.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIGURED_COMMANDS } from "../../packages/cli/src/commands/configured-commands.ts";
import { ALL_HELP } from "../../packages/cli/src/commands/help.ts";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runHere } from "./run-here.ts";

/** Commands beside the tables. */
const OTHERS = ["localnet", "config check", "config show", "config explain", "completion", "version", "help"];

test("every command has help, and every help a command", () => {
  const commands = new Set([...NETWORK_COMMANDS.keys(), ...CONFIGURED_COMMANDS.keys(), ...OTHERS]);
  expect([...ALL_HELP.keys()].sort()).toEqual([...commands].sort());
});

test.each([...ALL_HELP])(
  "help %s shows usage, options and examples, as %s --help does",
  async (name, { examples }) => {
    const words = name.split(" ");
    const { exitCode, said } = await runHere(["help", ...words]);
    expect([exitCode, said]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: callsign ${name}`))]);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(said).toContain(`  ${example}\n`);
    for (const option of Object.keys(NETWORK_COMMANDS.get(name)?.options ?? {}))
      expect(said).toContain(`--${option}`);
    if (name === "localnet" || name.startsWith("config ")) return;
    expect(await runHere([...words, "--help"])).toEqual({ exitCode: 0, said, complained: "" });
  },
);

test("help of half a command shows its commands, and help of an unknown one ends with 2", async () => {
  const { said } = await runHere(["help", "keys"]);
  expect(said.match(/^Usage: callsign .*$/gm)).toEqual([
    "Usage: callsign keys show [<role>] [options]",
    "Usage: callsign keys rotate [<role>] [--replace-unknown] [options]",
  ]);
  const unknown = await runHere(["help", "regster"]);
  expect([unknown.exitCode, unknown.complained]).toEqual([
    2,
    expect.stringMatching(/did you mean register\?/),
  ]);
});

describe("examples of commands that read a configuration", () => {
  const examples = [...ALL_HELP]
    .filter(([name]) => !NETWORK_COMMANDS.has(name) && !["localnet", "completion"].includes(name))
    .flatMap(([, help]) => help.examples);

  test.each(examples)("%s is understood", async (example) => {
    const [, ...words] = example.split(" ");
    const { exitCode, complained } = await runHere(words);
    // The values files are the reader's own.
    expect(complained).not.toMatch(/There is no option|takes no argument|has no command| needs /);
    expect([0, 1, 2]).toContain(exitCode);
  });
});

test.each<[string, readonly string[], number, RegExp]>([
  ["an unknown word", ["resolve"], 2, /^callsign resolve needs <name>\.\nUsage: callsign resolve/],
  ["a word too many", ["resolve", "a", "b"], 2, /^callsign resolve takes no argument b\.\nUsage/],
  [
    "an unknown option",
    ["resolve", "a", "--jsn"],
    2,
    /^There is no option --jsn: did you mean --json\?\nUsage/,
  ],
  [
    "a value that is not allowed",
    ["up", "--log", "loud"],
    2,
    /^--log is debug or info or warn or error, not loud/,
  ],
  [
    "a behaviour that no scan has",
    ["misbehave", "1", "dance"],
    2,
    /^callsign misbehave takes lie, lag, hang/,
  ],
  ["text and JSON", ["resolve", "a", "--text", "--json"], 2, /^--json and --text exclude each other/],
  ["an unknown shell", ["completion", "tcsh"], 2, /^callsign completion needs bash, zsh, fish, not tcsh/],
  [
    "a length that is none",
    ["clock", "forward", "soon", "--data", "/nowhere/net"],
    2,
    /is no length of time/,
  ],
])("wrong usage: %s", async (_, words, code, sentence) => {
  const { exitCode, said, complained } = await runHere(words);
  expect([exitCode, said, complained]).toEqual([code, "", expect.stringMatching(sentence)]);
});

describe("completion", () => {
  const complete = async (line: readonly string[]) => {
    const { said } = await runHere(["completion", "bash"]);
    const words = line.map((word) => `'${word}'`).join(" ");
    const script = `${said}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _callsign; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.trim();
  };

  test.each([
    [["callsign", "re"], "resolve register renew restore"],
    [["callsign", "clock", ""], "forward"],
    [["callsign", "clock", "forward", "--e"], "--every-round"],
    [["callsign", "misbehave", ""], "1 2 3 4"],
    [["callsign", "misbehave", "3", "l"], "lie lag"],
    [["callsign", "up", "--log", ""], "debug info warn error"],
    [["callsign", "auto-renewal", "alice", ""], "on off"],
    [["callsign", "keys", "ro"], "rotate"],
    [["callsign", "backup", ""], "validator participant sv scan"],
    [["callsign", "resolve", "--js"], "--json"],
    [["callsign", "completion", ""], "bash zsh fish"],
  ])("bash completes %j", async (line, expected) => {
    expect(await complete(line)).toBe(expected);
  });
});

test("a reader that goes early ends the command without a stack", () => {
  const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
  const command = `${process.execPath} --disable-warning=ExperimentalWarning ${main} help 2>${temporaryFolder()}/errors | head -1; echo "\${PIPESTATUS[0]}"`;
  const { stdout } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
  expect(stdout).toBe("Usage: callsign <command> [options]\n0\n");
});
