/** Runs the command in this process, and collects its output. */
import { systemHost } from "@callsign/node";
import type { Surroundings } from "../../packages/cli/src/output/surroundings.ts";
import type { Terminal } from "../../packages/cli/src/output/terminal.ts";
import { runCommand } from "../../packages/cli/src/run-command.ts";
import { argumentsOf, type Given } from "./setup-kit.ts";

export interface CommandOutcome {
  readonly exitCode: number;
  readonly said: string;
  readonly complained: string;
}

export async function runHere(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  more: Partial<Terminal> = {},
  host: Surroundings["host"] = systemHost,
): Promise<CommandOutcome> {
  const [said, complained]: [string[], string[]] = [[], []];
  const terminal = {
    write: (text: string) => void said.push(text),
    complain: (text: string) => void complained.push(text),
    ...more,
  };
  const exitCode = await runCommand(words, { terminal, environment, host });
  return { exitCode, said: said.join(""), complained: complained.join("") };
}

/** The command on a configuration, which is written to files. */
export function runWith(words: readonly string[], given: Given = {}): Promise<CommandOutcome> {
  return runHere([...words, ...argumentsOf(given)], given.environment);
}
