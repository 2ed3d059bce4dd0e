/** The commands of `callsign`. Each resolves with the exit code when it has ended. */
import { type Host, VERSION } from "@callsign/node";
import { runBackup, runCheck, runMove, runRestore } from "./backup/run-backup.ts";
import { runConfigCommand } from "./config-commands/run-config-command.ts";
import type { Examination } from "./doctor/examination.ts";
import { examineParticipantRole, examineValidator, type Patient, report } from "./doctor/run-doctor.ts";
import { exportIdentity, importIdentityFile } from "./identity/run-identity.ts";
import { rotateKeys, showKeys } from "./identity/run-keys.ts";
import { runMigration } from "./network/run-migration.ts";
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
import type { ParticipantSetup, ProcessSetup } from "./settings/setups.ts";
import {
  type OptionTypes,
  type OwnOptions,
  parseSourceOptions,
  SOURCE_USAGE,
} from "./settings/source-options.ts";
import { showStatus } from "./status/show-status.ts";
import { type Finding, formatFinding } from "./values/finding.ts";

const USAGE = `Usage: callsign <command> [options]
  validator             runs a validator until it is told to stop
  participant           runs a participant until it is told to stop
  sv                    founds a network of SVs at its first start, and runs it
  config check          tells all mistakes of a configuration at once
  config show           prints the merged configuration, without secrets
  config explain <key>  tells what a key means
  doctor [<role>]       tries from outside what the configuration of a validator or participant names
  status [<role>]       asks the running process: is it ready, where does it listen, how far has it come
  backup [<role>] --to <folder>
                        copies a role's store and identity while it runs
  restore [<role>] --from <folder> [--verify] [--replace]
                        restores a stopped role; without a configuration, --verify checks the back-up alone
  store move [<role>] --to <file> [--replace]
                        moves a stopped role's store to the place that another values file names
  keys show [<role>]    the signing keys of a participant or of SVs, here and on the network
  keys rotate [<role>] [--replace-unknown]
                        gives them new signing keys, while they work
  identity export --to <file>
                        a participant's private keys, for the loss of its machine
  identity import --from <file>
                        puts them into an empty place; the next start reads everything else from the network
  network migrate       carries a stopped network of SVs over to the next migration id
  localnet              runs a whole network for developers; its own options: callsign localnet --help
  version               the version of this program, also as --version
  help                  this text
Options:
${SOURCE_USAGE}
`;

/** Wrong usage, and configuration with mistakes: nothing was started. */
const REFUSED = 2;

type Command = (parts: ReadParts, surroundings: Surroundings, own: OwnOptions) => Promise<number>;

export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly host: Host;
}

type RoleReader = (parts: ReadParts) => SetupOutcome<Role>;

function asRole<Setup>(
  read: (parts: ReadParts) => SetupOutcome<Setup>,
  make: (setup: Setup, parts: ReadParts) => Role,
): RoleReader {
  return (parts) => {
    const outcome = read(parts);
    return outcome.ok
      ? { ok: true, setup: make(outcome.setup, parts) }
      : { ok: false, findings: outcome.findings };
  };
}

const ROLES: Readonly<Record<string, RoleReader>> = {
  validator: asRole(readValidatorSetup, validatorRole),
  participant: asRole(readParticipantSetup, participantRole),
  sv: asRole(readSvSetup, svRole),
};

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
  backup: forEachRole((role, around, own) => runBackup(role, String(own["to"]), around)),
  restore: forEachRole((role, around, { from, replace = false, verify = false }) =>
    runRestore(role, { from: String(from), replace: replace === true, verify: verify === true }, around),
  ),
  "store move": forEachRole((role, around, { to, replace = false }, source) =>
    withOtherRole({ ...source, files: [String(to)], sets: [] }, role.name, around, (other) =>
      runMove(role, other, { ...around, replace: replace === true }),
    ),
  ),
  "keys show": forEachRole((role, around) => showKeys(role, around)),
  "keys rotate": forEachRole((role, around, own) =>
    rotateKeys(role, { ...around, replaceUnknown: own["replace-unknown"] === true }),
  ),
  "identity export": ofParticipant((setup, around, own) => exportIdentity(setup, String(own["to"]), around)),
  "identity import": ofParticipant((setup, around, own) =>
    importIdentityFile(setup, String(own["from"]), around),
  ),
};

/** Commands about a network of SVs. */
const ON_NETWORKS: Readonly<Record<string, Command>> = {
  "network migrate": async (parts, surroundings) => {
    const outcome = readSvSetup(parts);
    if (!outcome.ok) return refuse(outcome, surroundings);
    return runMigration(outcome.setup, surroundings.terminal, surroundings.host);
  },
};

/** Their options beside those of the configuration; those that must be given, with what they are. */
const OWN_OPTIONS: Readonly<Record<string, OwnUsage>> = {
  backup: { types: { to: "string" }, needed: { to: "the folder that is made for the back-up" } },
  restore: {
    types: { from: "string", replace: "boolean", verify: "boolean" },
    needed: { from: "the folder of the back-up" },
  },
  "store move": {
    types: { to: "string", replace: "boolean" },
    needed: { to: "the values file of the place that the store goes to" },
  },
  "keys rotate": { types: { "replace-unknown": "boolean" }, needed: {} },
  "identity export": { types: { to: "string" }, needed: { to: "the file that is made" } },
  "identity import": { types: { from: "string" }, needed: { from: "the file of an export" } },
};

/** Commands of two words begin with these. */
const GROUPS: readonly string[] = ["store", "network", "keys", "identity"];

interface OwnUsage {
  readonly types: OptionTypes;
  readonly needed: Readonly<Record<string, string>>;
}

export async function runCommand(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, environment, host } = surroundings;
  const [first = "", ...others] = given;
  const [command, rest] = GROUPS.includes(first)
    ? [`${first} ${others[0] ?? ""}`, others.slice(1)]
    : [first, others];
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
  const single = RUNS[command] ?? ON_NETWORKS[command];
  if (onRoles === undefined && single === undefined)
    return misuse(command === "" ? "" : `callsign has no command ${command}.\n`);
  const { types = {}, needed = {} } = OWN_OPTIONS[command] ?? {};
  const options = parseSourceOptions(rest, environment, types);
  if (!options.ok) return misuse(`${options.problem}.\n`);
  const { source, words, own } = options;
  for (const [name, what] of Object.entries(needed))
    if (own[name] === undefined) return misuse(`callsign ${command} needs --${name}: ${what}.\n`);
  if (
    command === "restore" &&
    own["verify"] === true &&
    source.files.length === 0 &&
    source.sets.length === 0
  )
    return runCheck(String(own["from"]), surroundings);
  const parts = { source, files: host.files };
  const [role = guessRole(parts).name, ...left] = onRoles === undefined ? [command, ...words] : words;
  const runs = onRoles ?? { [command]: single };
  const run = runs[role];
  if (run === undefined)
    return misuse(`callsign ${command} looks at ${Object.keys(runs).join(" or ")}, not ${role}.\n`);
  if (left.length > 0) return misuse(`callsign ${command} takes no argument ${left[0]}.\n`);
  return run(parts, surroundings, own);
}

type RunOnRole = (
  role: Role,
  surroundings: Surroundings,
  own: OwnOptions,
  source: ReadParts["source"],
) => Promise<number>;

function forEachRole(run: RunOnRole): Readonly<Record<string, Command>> {
  const commandOf = (read: RoleReader): Command => {
    return async (parts, surroundings, own) => {
      const outcome = read(parts);
      return outcome.ok ? run(outcome.setup, surroundings, own, parts.source) : refuse(outcome, surroundings);
    };
  };
  return Object.fromEntries(Object.entries(ROLES).map(([name, read]) => [name, commandOf(read)]));
}

function ofParticipant(
  run: (setup: ParticipantSetup, surroundings: Surroundings, own: OwnOptions) => Promise<number>,
): Readonly<Record<string, Command>> {
  return {
    participant: async (parts, surroundings, own) => {
      const outcome = readParticipantSetup(parts);
      return outcome.ok ? run(outcome.setup, surroundings, own) : refuse(outcome, surroundings);
    },
  };
}

/** The role of another configuration. */
async function withOtherRole(
  source: ReadParts["source"],
  name: string,
  surroundings: Surroundings,
  run: (role: Role) => Promise<number>,
): Promise<number> {
  const outcome = ROLES[name]?.({ source, files: surroundings.host.files });
  if (outcome === undefined) throw new Error(`there is no role ${name}`);
  return outcome.ok ? run(outcome.setup) : refuse(outcome, surroundings);
}

/** A configuration with mistakes starts nothing. */
function refuse({ findings }: { readonly findings: readonly Finding[] }, { terminal }: Surroundings): number {
  const lines = findings.map((finding) => `  ${formatFinding(finding)}\n`);
  terminal.complain(`The configuration has mistakes:\n${lines.join("")}`);
  return REFUSED;
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
