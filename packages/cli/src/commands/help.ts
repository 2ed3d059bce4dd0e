/** The texts of `callsign help` and `callsign help <command>`. */
import type { CommandHelp } from "../output/command-help.ts";
import { type OptionTable, SOURCE_USAGE } from "../settings/source-options.ts";
import { NETWORK_COMMAND_GROUPS, NETWORK_COMMANDS } from "./network-commands.ts";
import { ROLE_HELP_GROUPS } from "./role-help.ts";

const GROUPS = { ...NETWORK_COMMAND_GROUPS, ...ROLE_HELP_GROUPS };
const NAME_WIDTH = 18;
const WITHOUT_SOURCES = ["localnet", "completion", "version", "help"];

export const ALL_HELP: ReadonlyMap<string, CommandHelp> = new Map(
  Object.values(GROUPS).flatMap((group) => Object.entries<CommandHelp>(group)),
);

/** Every command with a line. */
export function formatOverview(): string {
  const groups = Object.entries(GROUPS).map(([heading, group]) => {
    const lines = Object.entries<CommandHelp>(group).map(
      ([name, { summary }]) => `  ${name.padEnd(NAME_WIDTH)} ${summary}\n`,
    );
    return `\n${heading}\n${lines.join("")}`;
  });
  return (
    `Usage: callsign <command> [options]\n${groups.join("")}\n` +
    "callsign help <command> has the options and examples of each. Commands that speak to a network answer in text on a " +
    "terminal, and in JSON when piped or with --json.\n"
  );
}

/** The options and examples of one command. */
export function formatCommandHelp(name: string, help: CommandHelp): string {
  const { form, summary, details, examples } = help;
  const table = NETWORK_COMMANDS.get(name)?.options;
  const usage = `Usage: callsign ${[name, form].filter((text) => text !== "").join(" ")}`;
  const options = table === undefined ? describeSources(name) : describeOptions(table);
  return (
    `${usage}${options === "" || form === "[<options>]" ? "" : " [options]"}\n` +
    `  ${summary}\n${details === undefined ? "" : `  ${details}\n`}` +
    `${options === "" ? "" : `Options:\n${options}`}` +
    `Examples:\n${examples.map((example) => `  ${example}\n`).join("")}`
  );
}

function describeSources(name: string): string {
  return WITHOUT_SOURCES.includes(name) ? "" : `${SOURCE_USAGE}\n`;
}

function describeOptions(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, { form, short, meaning = "" }]) => {
    const named = `${short === undefined ? "" : `-${short}, `}--${name}${form === undefined ? "" : ` ${form}`}`;
    return [named, meaning] as const;
  });
  const width = Math.max(...rows.map(([named]) => named.length));
  return rows.map(([named, meaning]) => `  ${named.padEnd(width)}  ${meaning}\n`).join("");
}
