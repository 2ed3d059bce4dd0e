/** `callsign <command> …`: finds the command, reads its options, and runs it. Resolves with the exit code when it has ended. */
import { suggestWord, VERSION } from "@callsign/node";
import type { CommandWords } from "./commands/configured-command.ts";
import { ALL_HELP, formatCommandHelp, formatOverview } from "./commands/help.ts";
import { NETWORK_COMMANDS } from "./commands/network-commands.ts";
import { runNetworkCommand } from "./networks/run-network-command.ts";
import { EXIT } from "./output/exit-code.ts";
import { refuseUsage } from "./output/refuse-usage.ts";
import type { Surroundings } from "./output/surroundings.ts";
import { parseSourceOptions } from "./settings/source-options.ts";

/** Most commands name no file without an option. */
const NO_WORDS: CommandWords = { form: "", least: 0, most: 0 };
/** An option that names a source of configuration. */
const SOURCE = /^(-f|--values|--set|--set-string|--secrets)/;
const HELP_OPTIONS = ["--help", "-h"];

type Environment = Readonly<Record<string, string | undefined>>;
type Around = Surroundings & { readonly environment: Environment };

export async function runCommand(given: readonly string[], around: Around): Promise<number> {
  const { terminal, host, environment } = around;
  const [word = "", ...rest] = given;
  if (word === "localnet") {
    // No other command needs it.
    const { runLocalnet } = await import("@callsign/localnet");
    return runLocalnet(rest, { ...terminal, host });
  }
  if (word === "config") {
    const { runConfigCommand } = await import("./config-commands/run-config-command.ts");
    return runConfigCommand(rest, { ...terminal, environment, files: host.files });
  }
  if (given.some((each) => HELP_OPTIONS.includes(each)))
    return showHelp(
      given.filter((each) => !each.startsWith("-")),
      around,
    );
  if (["--version", "version"].includes(word)) {
    terminal.write(`${VERSION}\n`);
    return EXIT.done;
  }
  if (word === "help") return showHelp(rest, around);
  if (word === "completion") return showCompletion(rest, around);
  const name = findName(given);
  if (name === null) return misuseUnknown(given, around);
  const left = given.slice(name.split(" ").length);
  const command = NETWORK_COMMANDS.get(name);
  if (command === undefined || (await isOfRole(name, left, around))) return runConfigured(name, left, around);
  return runNetworkCommand({ name, command }, left, { ...around, misuse: misuseOf(name, around) });
}

/** `callsign status` speaks of the local network, unless a role or a configuration is named. */
async function isOfRole(name: string, given: readonly string[], { environment }: Around): Promise<boolean> {
  if (name !== "status") return false;
  if (given.some((word, i) => SOURCE.test(word) || (!word.startsWith("-") && given[i - 1] !== "--data")))
    return true;
  const { isConfiguredBy } = await import("./settings/role-tables.ts");
  return isConfiguredBy(environment);
}

/** The command that the first words name; null if none does. */
function findName(given: readonly string[]): string | null {
  const names = [given.slice(0, 2).join(" "), given[0] ?? ""];
  return names.find((name) => ALL_HELP.has(name)) ?? null;
}

/** All commands for a line without a word; they would push the sentence about a misspelt one off the screen. */
function misuseUnknown(given: readonly string[], { terminal }: Around): number {
  const problem = describeUnknown(given);
  const group = [...ALL_HELP.keys()].filter((name) => name.startsWith(`${given[0]} `));
  const usage =
    group.length === 0
      ? "Usage: callsign <command> [options]\nAll commands: callsign help\n"
      : group.map((name) => `Usage: callsign ${name}\n`).join("");
  return refuseUsage(problem, problem === null ? formatOverview() : usage, terminal);
}

function misuseOf(name: string, { terminal }: Around): (problem: string) => number {
  const help = ALL_HELP.get(name);
  const usage = help === undefined ? formatOverview() : formatCommandHelp(name, help);
  return (problem) => refuseUsage(problem, usage, terminal);
}

function showHelp(words: readonly string[], around: Around): number {
  const [first] = words;
  if (first === undefined) {
    around.terminal.write(formatOverview());
    return EXIT.done;
  }
  const name = findName(words);
  const names = name === null ? [...ALL_HELP.keys()].filter((each) => each.startsWith(`${first} `)) : [name];
  if (names.length === 0) return misuseUnknown(words, around);
  for (const each of names) {
    const help = ALL_HELP.get(each);
    if (help !== undefined) around.terminal.write(formatCommandHelp(each, help));
  }
  return EXIT.done;
}

async function showCompletion([shell]: readonly string[], around: Around): Promise<number> {
  const { formatShellCompletion, SHELLS } = await import("./commands/completion.ts");
  const known = SHELLS.find((each) => each === shell);
  if (known === undefined)
    return misuseOf(
      "completion",
      around,
    )(`callsign completion needs ${SHELLS.join(", ")}${shell === undefined ? "" : `, not ${shell}`}`);
  around.terminal.write(formatShellCompletion(known));
  return EXIT.done;
}

async function runConfigured(name: string, given: readonly string[], around: Around): Promise<number> {
  const [{ CONFIGURED_COMMANDS }, { guessRole }] = await Promise.all([
    import("./commands/configured-commands.ts"),
    import("./settings/role-tables.ts"),
  ]);
  const { environment, ...surroundings } = around;
  const misuse = misuseOf(name, around);
  const command = CONFIGURED_COMMANDS.get(name);
  if (command === undefined) return misuseUnknown([name], around);
  const { run, options = {}, words: accepted = NO_WORDS, runWithout } = command;
  const parsed = parseSourceOptions(given, environment, options);
  if (!parsed.ok) return misuse(parsed.problem);
  const { source, words, own } = parsed;
  const taken = own[accepted.noneWith ?? ""] === undefined ? accepted : NO_WORDS;
  for (const [option, { needed }] of Object.entries(options))
    if (needed !== undefined && own[option] === undefined)
      return misuse(`callsign ${name} needs --${option}: ${needed}`);
  const isConfigured = source.files.length > 0 || source.sets.length > 0;
  const ended = isConfigured ? undefined : runWithout?.(surroundings, own);
  if (ended !== undefined) return ended;
  const parts = { source, files: around.host.files };
  const isAlone = typeof run === "function";
  const [role = guessRole(parts).name, ...left] = isAlone ? [name, ...words] : words;
  const runs = new Map(Object.entries(isAlone ? { [name]: run } : run));
  const chosen = runs.get(role);
  if (chosen === undefined)
    return misuse(`callsign ${name} looks at ${[...runs.keys()].join(" or ")}, not ${role}`);
  if (left.length > taken.most) return misuse(`callsign ${name} takes no argument ${left[taken.most]}`);
  if (left.length < taken.least) return misuse(`callsign ${name} needs ${taken.form}`);
  return chosen(parts, surroundings, { own, words: left });
}

function describeUnknown(given: readonly string[]): string | null {
  const [first = ""] = given;
  if (first === "") return null;
  const known = [...ALL_HELP.keys()];
  const isGroup = known.some((name) => name.startsWith(`${first} `));
  const name = given.slice(0, isGroup ? 2 : 1).join(" ");
  const meant = suggestWord(given.slice(0, 2).join(" "), known) || suggestWord(name, known);
  return `callsign has no command ${name}${meant}`;
}
