/** `callsign <command> …`: finds the command, reads its options, and runs it. Resolves with the exit code when it has ended. */
import { suggestWord, VERSION } from "@callsign/node";
import { COMMANDS } from "./commands/commands.ts";
import type { CommandWords } from "./commands/configured-command.ts";
import { HELP } from "./commands/help.ts";
import { runConfigCommand } from "./config-commands/run-config-command.ts";
import { refuseUsage } from "./output/refuse-usage.ts";
import type { Surroundings } from "./output/surroundings.ts";
import { guessRole } from "./settings/role-tables.ts";
import { parseSourceOptions } from "./settings/source-options.ts";

/** Most commands name no file without an option. */
const NO_WORDS: CommandWords = { form: "", least: 0, most: 0 };

type Environment = Readonly<Record<string, string | undefined>>;

export async function runCommand(
  given: readonly string[],
  { environment, ...surroundings }: Surroundings & { readonly environment: Environment },
): Promise<number> {
  const { terminal, host } = surroundings;
  const [word = "", ...rest] = given;
  if (word === "config") return runConfigCommand(rest, { ...terminal, environment, files: host.files });
  if (word === "localnet") {
    // No other command needs it.
    const { runLocalnet } = await import("@callsign/localnet");
    return runLocalnet(rest, { ...terminal, host });
  }
  if (["--version", "version"].includes(word)) {
    terminal.write(`${VERSION}\n`);
    return 0;
  }
  if (word === "help" || given.includes("--help") || given.includes("-h")) {
    terminal.write(HELP);
    return 0;
  }
  return runConfigured(given, environment, surroundings);
}

async function runConfigured(
  given: readonly string[],
  environment: Environment,
  surroundings: Surroundings,
): Promise<number> {
  const { terminal, host } = surroundings;
  const misuse = (problem: string | null) => refuseUsage(problem, HELP, terminal);
  const length = isGroup(given[0]) ? 2 : 1;
  const name = given.slice(0, length).join(" ");
  const command = COMMANDS.get(name);
  if (command === undefined) return misuse(name === "" ? null : describeUnknown(name, given));
  const { run, options = {}, words: accepted = NO_WORDS, runWithout } = command;
  const parsed = parseSourceOptions(given.slice(length), environment, options);
  if (!parsed.ok) return misuse(parsed.problem);
  const { source, words, own } = parsed;
  const taken = own[accepted.noneWith ?? ""] === undefined ? accepted : NO_WORDS;
  for (const [option, { needed }] of Object.entries(options))
    if (needed !== undefined && own[option] === undefined)
      return misuse(`callsign ${name} needs --${option}: ${needed}`);
  const isConfigured = source.files.length > 0 || source.sets.length > 0;
  const ended = isConfigured ? undefined : runWithout?.(surroundings, own);
  if (ended !== undefined) return ended;
  const parts = { source, files: host.files };
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

/** True if commands of two words begin with it. */
function isGroup(word = ""): boolean {
  return [...COMMANDS.keys()].some((name) => name.startsWith(`${word} `));
}

function describeUnknown(name: string, given: readonly string[]): string {
  const known = [...COMMANDS.keys(), "config", "localnet", "version", "help"];
  const meant = suggestWord(given.slice(0, 2).join(" "), known) || suggestWord(name, known);
  return `callsign has no command ${name}${meant}`;
}
