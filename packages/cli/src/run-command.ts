/** The commands of `callsign`. Each resolves with the exit code when it has ended. */
import { type Host, VERSION } from "@callsign/node";
import { runConfigCommand } from "./config-commands/run-config-command.ts";
import type { Examination } from "./doctor/examination.ts";
import { examineParticipantRole, examineValidator, type Patient, report } from "./doctor/run-doctor.ts";
import type { Terminal } from "./output/terminal.ts";
import type { Role } from "./run/role.ts";
import { participantRole } from "./run/run-participant.ts";
import { runRole } from "./run/run-role.ts";
import { svRole } from "./run/run-sv.ts";
import { validatorRole } from "./run/run-validator.ts";
import type { ReadParts, SetupOutcome } from "./settings/config-source.ts";
import { readParticipantSetup } from "./settings/read-participant-setup.ts";
import { readSvSetup } from "./settings/read-sv-setup.ts";
import { readValidatorSetup } from "./settings/read-validator-setup.ts";
import { guessRole } from "./settings/role-tables.ts";
import type { ProcessSetup } from "./settings/setups.ts";
import { parseSourceOptions, SOURCE_USAGE } from "./settings/source-options.ts";
import { showStatus } from "./status/show-status.ts";
import { formatFinding } from "./values/finding.ts";

const USAGE = `Usage: callsign <command> [options]
  validator             runs a validator until it is told to stop
  participant           runs a participant until it is told to stop
  sv                    founds a network of SVs at its first start, and runs it
  config check          tells all mistakes of a configuration at once
  config show           prints the merged configuration, without secrets
  config explain <key>  tells what a key means
  doctor [<role>]       tries from outside what the configuration of a validator or participant names
  status [<role>]       asks the running process: is it ready, where does it listen, how far has it come
  localnet              runs a whole network for developers; its own options: callsign localnet --help
  version               the version of this program, also as --version
  help                  this text
Options:
${SOURCE_USAGE}
`;

/** Wrong usage, and configuration with mistakes: nothing was started. */
const REFUSED = 2;

type Command = (parts: ReadParts, surroundings: Surroundings) => Promise<number>;

export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly host: Host;
}

const RUNS = forEachRole((role, { terminal, host }) => runRole(role, terminal, host));

const EXAMINATIONS: Readonly<Record<string, Command>> = {
  validator: (parts, { terminal, host }) =>
    examineWith(readValidatorSetup(parts), examineValidator, { terminal, host }),
  participant: (parts, { terminal, host }) =>
    examineWith(readParticipantSetup(parts), examineParticipantRole, { terminal, host }),
};

/** Commands about a role, which is guessed from the configuration if it is not named. */
const ON_ROLES: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  doctor: EXAMINATIONS,
  status: forEachRole((role, { terminal, host }) => showStatus(role, terminal, host)),
};

export async function runCommand(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, environment, host } = surroundings;
  const [command = "", ...rest] = given;
  if (command === "config") {
    return runConfigCommand(rest, { ...terminal, environment, files: host.files });
  }
  if (command === "localnet") {
    // No other command needs it.
    const { runLocalnet } = await import("@callsign/localnet");
    return runLocalnet(rest, { ...terminal, host });
  }
  if (["--version", "version"].includes(command)) {
    terminal.write(`${VERSION}\n`);
    return 0;
  }
  if (["--help", "-h", "help"].includes(command) || rest.includes("--help") || rest.includes("-h")) {
    terminal.write(USAGE);
    return 0;
  }
  const misuse = (problem: string) => {
    terminal.complain(`${problem}${USAGE}`);
    return REFUSED;
  };
  const onRoles = ON_ROLES[command];
  if (onRoles === undefined && RUNS[command] === undefined)
    return misuse(command === "" ? "" : `callsign has no command ${command}.\n`);
  const options = parseSourceOptions(rest, environment);
  if (!options.ok) return misuse(`${options.problem}.\n`);
  const { source, words } = options;
  const parts = { source, files: host.files };
  const [role = guessRole(parts).name, ...others] = onRoles === undefined ? [command, ...words] : words;
  const runs = onRoles ?? RUNS;
  const run = runs[role];
  if (run === undefined)
    return misuse(`callsign ${command} looks at ${Object.keys(runs).join(" or ")}, not ${role}.\n`);
  if (others.length > 0) return misuse(`callsign ${command} takes no argument ${others[0]}.\n`);
  return run(parts, surroundings);
}

function forEachRole(
  run: (role: Role, surroundings: Surroundings) => Promise<number>,
): Readonly<Record<string, Command>> {
  return {
    validator: withSetup(readValidatorSetup, (setup, around) => run(validatorRole(setup), around)),
    participant: withSetup(readParticipantSetup, (setup, around) => run(participantRole(setup), around)),
    sv: withSetup(readSvSetup, (setup, around) => run(svRole(setup), around)),
  };
}

/** A configuration with mistakes starts nothing. */
function withSetup<Setup>(
  read: (parts: ReadParts) => SetupOutcome<Setup>,
  run: (setup: Setup, surroundings: Surroundings) => Promise<number>,
): Command {
  return async (parts, surroundings) => {
    const outcome = read(parts);
    if (outcome.ok) return run(outcome.setup, surroundings);
    const findings = outcome.findings.map((finding) => `  ${formatFinding(finding)}\n`);
    surroundings.terminal.complain(`The configuration has mistakes:\n${findings.join("")}`);
    return REFUSED;
  };
}

async function examineWith<Setup extends ProcessSetup>(
  outcome: SetupOutcome<Setup>,
  examine: (patient: Patient<Setup>, host: Host) => Promise<readonly Examination[]>,
  { terminal, host }: Pick<Surroundings, "terminal" | "host">,
): Promise<number> {
  const patient = outcome.ok
    ? { setup: outcome.setup, findings: [] }
    : { setup: outcome.draft, findings: outcome.findings };
  for (const warning of patient.setup?.warnings ?? []) terminal.write(`note   ${warning}\n`);
  return report(await examine(patient, host), terminal);
}
