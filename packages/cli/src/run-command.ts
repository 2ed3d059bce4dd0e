/** The commands of `callsign`. Each resolves with the exit code when it has ended. */
import { systemHost } from "@callsign/node";
import { runConfigCommand } from "./config-commands/run-config-command.ts";
import { examineParticipantRole, examineValidator, report } from "./doctor/run-doctor.ts";
import { participantRole } from "./run/run-participant.ts";
import { runRole } from "./run/run-role.ts";
import { svRole } from "./run/run-sv.ts";
import { validatorRole } from "./run/run-validator.ts";
import type { ReadParts, SetupOutcome } from "./settings/config-source.ts";
import { readParticipantSetup } from "./settings/read-participant-setup.ts";
import { readSvSetup } from "./settings/read-sv-setup.ts";
import { readValidatorSetup } from "./settings/read-validator-setup.ts";
import { parseSourceOptions, SOURCE_USAGE } from "./settings/source-options.ts";
import type { Terminal } from "./terminal.ts";
import { formatFinding } from "./values/finding.ts";

const USAGE = `Usage: callsign <command> [options]
  validator             runs a validator until it is told to stop
  participant           runs a participant until it is told to stop
  sv                    founds a network of SVs at its first start, and runs it
  config check          tells all mistakes of a configuration at once
  config show           prints the merged configuration, without secrets
  config explain <key>  tells what a key means
  doctor <role>         tries from outside what the configuration of a validator or participant names
  help                  this text
Options:
${SOURCE_USAGE}
`;

/** Wrong usage, and configuration with mistakes: nothing was started. */
const REFUSED = 2;

type Command = (parts: ReadParts, terminal: Terminal) => Promise<number>;

const RUNS: Readonly<Record<string, Command>> = {
  validator: withSetup(readValidatorSetup, (setup, terminal) => runRole(validatorRole(setup), terminal)),
  participant: withSetup(readParticipantSetup, (setup, terminal) =>
    runRole(participantRole(setup), terminal),
  ),
  sv: withSetup(readSvSetup, (setup, terminal) => runRole(svRole(setup), terminal)),
};

const EXAMINATIONS: Readonly<Record<string, Command>> = {
  validator: withSetup(readValidatorSetup, async (setup, terminal) =>
    report(await examineValidator(setup, systemHost), terminal),
  ),
  participant: withSetup(readParticipantSetup, async (setup, terminal) =>
    report(await examineParticipantRole(setup, systemHost), terminal),
  ),
};

export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [command = "", ...rest] = given;
  if (command === "config") {
    return runConfigCommand(rest, { ...terminal, environment: process.env, files: systemHost.files });
  }
  if (["--help", "-h", "help"].includes(command) || rest.includes("--help") || rest.includes("-h")) {
    terminal.write(USAGE);
    return 0;
  }
  const misuse = (problem: string) => {
    terminal.complain(`${problem}${USAGE}`);
    return REFUSED;
  };
  if (command !== "doctor" && RUNS[command] === undefined)
    return misuse(command === "" ? "" : `callsign has no command ${command}.\n`);
  const options = parseSourceOptions(rest, process.env);
  if (!options.ok) return misuse(`${options.problem}.\n`);
  const { source, words } = options;
  const [role = "validator", ...others] = command === "doctor" ? words : [command, ...words];
  const run = (command === "doctor" ? EXAMINATIONS : RUNS)[role];
  if (run === undefined)
    return misuse(`callsign doctor looks at ${Object.keys(EXAMINATIONS).join(" or ")}, not ${role}.\n`);
  if (others.length > 0) return misuse(`callsign ${command} takes no argument ${others[0]}.\n`);
  return run({ source, files: systemHost.files }, terminal);
}

/** A configuration with mistakes starts nothing. */
function withSetup<Setup>(
  read: (parts: ReadParts) => SetupOutcome<Setup>,
  run: (setup: Setup, terminal: Terminal) => Promise<number>,
): Command {
  return async (parts, terminal) => {
    const outcome = read(parts);
    if (outcome.ok) return run(outcome.setup, terminal);
    const findings = outcome.findings.map((finding) => `  ${formatFinding(finding)}\n`);
    terminal.complain(`The configuration has mistakes:\n${findings.join("")}`);
    return REFUSED;
  };
}
