/** A command that reads a configuration. */
import { EXIT } from "../output/exit-code.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { Role } from "../run/role.ts";
import type { ReadParts } from "../settings/config-source.ts";
import type { OptionTable, OwnOptions } from "../settings/source-options.ts";
import { formatFinding } from "../values/finding.ts";
import { type ReadSetup, ROLES } from "./roles.ts";

export interface ConfiguredCommand {
  /** By role, which is guessed from the configuration if it is not named; a function if there is no choice of roles. */
  readonly run: Run | Readonly<Record<string, Run>>;
  readonly options?: OptionTable;
  /** The files that are named without an option; none by default. */
  readonly words?: CommandWords;
  /** Runs if no configuration is given; undefined if the options need one. */
  readonly runWithout?: (surroundings: Surroundings, own: OwnOptions) => Promise<number> | undefined;
}

export interface CommandWords {
  /** As usage shows them. */
  readonly form: string;
  readonly least: number;
  readonly most: number;
  /** An option with which there are none. */
  readonly noneWith?: string;
}

/** The parts of a command line that are no sources of the configuration. */
export interface CommandLine {
  readonly own: OwnOptions;
  readonly words: readonly string[];
}

/** Resolves with the exit code. */
export type Run = (parts: ReadParts, surroundings: Surroundings, line: CommandLine) => Promise<number>;

type RunOn<Setup> = (
  setup: Setup,
  ...given: [Surroundings, OwnOptions, ReadParts, readonly string[]]
) => Promise<number>;

/** Runs nothing on a configuration with mistakes, and tells them. */
export function on<Setup>(read: ReadSetup<Setup>, run: RunOn<Setup>): Run {
  return async (parts, surroundings, { own, words }) => {
    const outcome = read(parts);
    if (outcome.ok) return run(outcome.setup, surroundings, own, parts, words);
    const lines = outcome.findings.map((finding) => `  ${formatFinding(finding)}\n`);
    surroundings.terminal.complain(`The configuration has mistakes:\n${lines.join("")}`);
    return EXIT.usage;
  };
}

export function onEachRole(run: RunOn<Role>): Readonly<Record<string, Run>> {
  return forEachRole((read) => on(read, run));
}

export function forEachRole(make: (read: ReadSetup<Role>) => Run): Readonly<Record<string, Run>> {
  return Object.fromEntries(Object.entries(ROLES).map(([name, read]) => [name, make(read)]));
}
