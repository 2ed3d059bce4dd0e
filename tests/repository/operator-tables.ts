// The tables of docs/configuration.md about an operator's node, from the tables of keys that the program reads.

import { ACCEPTED_PATHS } from "../../packages/cli/src/keys/accepted-paths.ts";
import { PARTICIPANT_ROOT, VALIDATOR_ROOT } from "../../packages/cli/src/keys/hocon-roots.ts";
import type { Key, KeyTable } from "../../packages/cli/src/keys/key.ts";
import { describeType } from "../../packages/cli/src/keys/key-type.ts";
import { PARTICIPANT_KEYS } from "../../packages/cli/src/keys/participant-keys.ts";
import { processKeys, tlsKeys } from "../../packages/cli/src/keys/process-keys.ts";
import { SCAN_ROLE_KEYS } from "../../packages/cli/src/keys/scan-keys.ts";
import { SV_KEYS } from "../../packages/cli/src/keys/sv-keys.ts";
import { VALIDATOR_KEYS } from "../../packages/cli/src/keys/validator-keys.ts";

const ROLES: Readonly<Record<string, KeyTable>> = {
  validator: VALIDATOR_KEYS,
  participant: PARTICIPANT_KEYS,
  sv: SV_KEYS,
  scan: SCAN_ROLE_KEYS,
};
const isTls = ({ path }: Key) => path.startsWith("callsign.tls.");
/** Keys with the same meaning for every role. */
const shared = new Set(
  processKeys({ dataFolder: "", healthPort: "", address: [] })
    .map(({ path }) => path)
    .filter((path) => path !== "callsign.dataFolder" && path !== "callsign.healthPort"),
);

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines
    .join("\n")
    .replaceAll("| --- ", "|---")
    .replaceAll("|--- |", "|---|")
    .replaceAll("---|---", "---|---");
}

function keyTable(keys: KeyTable): string {
  const rows = keys.map(({ path, type, otherwise, meaning, isSecret }) => [
    `\`${path}\``,
    isSecret ? `${describeType(type)}; never shown` : describeType(type),
    otherwise,
    meaning,
  ]);
  return table(["key", "allowed", "default", "meaning"], rows);
}

function ownKeys(role: string): KeyTable {
  return (ROLES[role] ?? []).filter(
    (key) => key.unused === undefined && !shared.has(key.path) && !isTls(key),
  );
}

function unusedTable(): string {
  const rows = Object.entries(ROLES).flatMap(([role, keys]) =>
    keys
      .filter(({ unused }) => unused !== undefined)
      .map(({ path, meaning, unused = "" }) => ({ role, path, meaning, unused })),
  );
  const paths = [...new Set(rows.map(({ path }) => path))];
  return table(
    ["key without an effect", "of", "meaning", "reason"],
    paths.map((path) => {
      const same = rows.filter((row) => row.path === path);
      return [
        `\`${path}\``,
        same.map(({ role }) => role).join(", "),
        same[0]?.meaning ?? "",
        same[0]?.unused ?? "",
      ];
    }),
  );
}

function variableTable(): string {
  const rows = Object.entries(ROLES).flatMap(([role, keys]) =>
    keys.flatMap(({ path, variables }) => variables.map((name) => ({ name, role, path }))),
  );
  const names = [...new Set(rows.map(({ name }) => name))].sort();
  return table(
    ["environment variable", "key"],
    names.map((name) => {
      const paths = [...new Set(rows.filter((row) => row.name === name).map(({ path }) => path))];
      const cells = paths.map((path) => {
        const roles = rows.filter((row) => row.name === name && row.path === path).map(({ role }) => role);
        return paths.length === 1 ? `\`${path}\`` : `\`${path}\` (${roles.join(", ")})`;
      });
      return [`\`${name}\``, cells.join(", ")];
    }),
  );
}

function secretTable(): string {
  const rows = [VALIDATOR_KEYS, PARTICIPANT_KEYS].flatMap((keys) =>
    keys.flatMap(({ path, mounted }) => (mounted === undefined ? [] : [{ path, mounted }])),
  );
  const unique = rows.filter((row, i) => rows.findIndex(({ path }) => path === row.path) === i);
  return table(
    ["secret file", "key", "named by"],
    unique.map(({ path, mounted }) => [
      `\`${mounted.name}/${mounted.key}\``,
      `\`${path}\``,
      [mounted.nameFrom, mounted.keyFrom]
        .flatMap((from) => (from === undefined ? [] : [`\`${from}\``]))
        .join(", "),
    ]),
  );
}

function pathTable(root: string, keys: KeyTable): string {
  const honoured = keys.flatMap(({ path, hocon }) => hocon.map((each) => [each, `\`${path}\``] as const));
  const accepted = ACCEPTED_PATHS.map(({ path, reason }) => [path, `no effect: ${reason}`] as const);
  const rows = [...honoured, ...accepted].filter(([path]) => path.startsWith(`${root}.`));
  return table(
    ["path", "key"],
    rows.map(([path, key]) => [`\`${path.slice(root.length + 1)}\``, key]),
  );
}

/** By the name of its place in the document. */
export const OPERATOR_TABLES: Readonly<Record<string, string>> = {
  "validator keys": keyTable(ownKeys("validator")),
  "participant keys": keyTable(ownKeys("participant")),
  "sv keys": keyTable(ownKeys("sv")),
  "scan keys": keyTable(ownKeys("scan")),
  "process keys": keyTable(VALIDATOR_KEYS.filter((key) => shared.has(key.path) && !isTls(key))),
  "tls keys": keyTable(tlsKeys("<port>")),
  "keys without effect": unusedTable(),
  "environment variables": variableTable(),
  "mounted secrets": secretTable(),
  "validator paths": pathTable(VALIDATOR_ROOT, VALIDATOR_KEYS),
  "participant paths": pathTable(PARTICIPANT_ROOT, PARTICIPANT_KEYS),
};

/** The document with every table as the program has it. */
export function renderOperatorTables(markdown: string): string {
  return Object.entries(OPERATOR_TABLES).reduce((text, [name, rows]) => {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`docs/configuration.md has no place for the table ${name}`);
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${rows}\n\n${end}`);
  }, markdown);
}
