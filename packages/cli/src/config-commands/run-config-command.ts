/** `callsign config check|show|explain`: reads configuration as a role would, and starts nothing. */
import { suggestWord } from "@callsign/node";
import { refuseUsage } from "../output/refuse-usage.ts";
import type { Terminal } from "../output/terminal.ts";
import type { ConfigFiles, ConfigSource, ReadParts } from "../settings/config-source.ts";
import { guessRole, ROLE_TABLES, type RoleTable } from "../settings/role-tables.ts";
import { parseSourceOptions, SOURCE_USAGE } from "../settings/source-options.ts";
import { formatFinding } from "../values/finding.ts";
import { explainKey, listKeys } from "./explain-key.ts";
import { showConfig } from "./show-config.ts";

const USAGE = `Usage: callsign config check [<role>] [options]    all mistakes at once
       callsign config show [<role>] [options]     the merged configuration, without secrets
       callsign config explain [<role>] [<key>]    a key, an environment variable or a HOCON path
  <role> is ${ROLE_TABLES.map(({ name }) => name).join(", ")}; check and show guess it from the keys
Options:
${SOURCE_USAGE}
`;

const [GOOD, FAULTY] = [0, 1] as const;
const ACTIONS = ["check", "show", "explain"] as const;

export interface ConfigCommandParts extends Terminal {
  readonly environment: ConfigSource["environment"];
  readonly files: ConfigFiles;
}

/** The exit code: 0 if all is well, 1 for findings and unknown keys, 2 for wrong usage. */
export function runConfigCommand(given: readonly string[], parts: ConfigCommandParts): number {
  if (given.some((word) => word === "--help" || word === "-h")) {
    parts.write(USAGE);
    return GOOD;
  }
  const options = parseSourceOptions(given, parts.environment);
  const misuse = (problem: string) => refuseUsage(problem, USAGE, parts);
  if (!options.ok) return misuse(options.problem);
  const [action, ...words] = options.words;
  const role = ROLE_TABLES.find(({ name }) => name === words[0]);
  const rest = role === undefined ? words : words.slice(1);
  const read = { source: options.source, files: parts.files };
  if (action === "explain")
    return rest.length > 1
      ? misuse(`callsign config explain takes one key, not ${rest.join(" and ")}`)
      : explain(role, rest[0], parts);
  if (action !== "check" && action !== "show") {
    return misuse(
      action === undefined
        ? "callsign config needs check, show or explain"
        : `callsign config has no ${action}${suggestWord(action, ACTIONS)}`,
    );
  }
  if (rest.length > 0)
    return misuse(`${rest[0]} is no role: ${ROLE_TABLES.map(({ name }) => name).join(", ")}`);
  const chosen = role ?? guessRole(read);
  if (action === "check") return check(chosen, read, parts);
  parts.write(showConfig(chosen.keys, read));
  return GOOD;
}

function explain(
  role: RoleTable | undefined,
  key: string | undefined,
  { write, complain }: ConfigCommandParts,
): number {
  const tables = role === undefined ? ROLE_TABLES : [role];
  if (key === undefined) {
    write(listKeys(tables));
    return GOOD;
  }
  const explained = explainKey(tables, key);
  if (explained.isKnown) write(explained.text);
  else complain(explained.text);
  return explained.isKnown ? GOOD : FAULTY;
}

function check(role: RoleTable, read: ReadParts, { write, complain }: ConfigCommandParts): number {
  const outcome = role.read(read);
  if (!outcome.ok) {
    const lines = outcome.findings.map((finding) => `  ${formatFinding(finding)}\n`);
    complain(
      `The configuration of this ${role.name} has ${count(lines.length, "mistake")}:\n${lines.join("")}`,
    );
    return FAULTY;
  }
  const { warnings, unusedKeys } = outcome.setup;
  const unused = unusedKeys.map(({ key, reason, from }) => `  no effect: ${key}: ${reason} (${from})\n`);
  write(
    `The configuration of this ${role.name} is good.\n` +
      `${warnings.map((warning) => `  warning: ${warning}\n`).join("")}${unused.join("")}`,
  );
  return GOOD;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
