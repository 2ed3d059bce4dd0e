/** The meaning of a key, and the other ways to give it. */
import { findNearestWord } from "@callsign/node";
import type { Key } from "../keys/key.ts";
import { describeType } from "../keys/key-type.ts";
import { findKey } from "../keys/match-keys.ts";
import type { RoleTable } from "../settings/role-tables.ts";

interface Explained {
  readonly isKnown: boolean;
  readonly text: string;
}

/** `name` is a key, the beginning of some, an environment variable or a HOCON path. */
export function explainKey(tables: readonly RoleTable[], name: string): Explained {
  const found = tables.flatMap((table) => findKeys(table, name).map((key) => ({ key, role: table.name })));
  if (found.length === 0) return { isKnown: false, text: refuse(tables, name) };
  const paths = [...new Set(found.map(({ key }) => key.path))];
  const texts = paths.map((path) => {
    const same = found.filter(({ key }) => key.path === path);
    // Roles may mean different things by one key.
    const meanings = [...new Set(same.map(({ key }) => JSON.stringify(key)))];
    return meanings
      .map((meaning) => same.filter(({ key }) => JSON.stringify(key) === meaning))
      .map((group) =>
        describe(
          group.map(({ role }) => role),
          group[0]?.key,
        ),
      )
      .join("");
  });
  return { isKnown: true, text: texts.join("\n") };
}

function findKeys({ keys }: RoleTable, name: string): readonly Key[] {
  const exact = findKey(keys, name);
  if (exact !== undefined) return [exact];
  const others = keys.filter(({ variables, hocon }) => variables.includes(name) || hocon.includes(name));
  return others.length > 0
    ? others
    : keys.filter(({ path }) => path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
}

function describe(roles: readonly string[], key: Key | undefined): string {
  if (key === undefined) return "";
  const { mounted } = key;
  const lines = [
    ["meaning", key.meaning],
    ["allowed", describeType(key.type)],
    ["default", key.otherwise],
    ["no effect here", key.unused ?? ""],
    ["variables", key.variables.join(", ")],
    ["HOCON", key.hocon.join(", ")],
    [
      "secret file",
      mounted === undefined
        ? ""
        : `${mounted.name}/${mounted.key}${mounted.nameFrom === undefined ? "" : `, or as ${mounted.nameFrom} says`}`,
    ],
  ].filter(([, text]) => text !== "");
  return `${key.path} (${roles.join(", ")})\n${lines.map(([label, text]) => `  ${label}: ${plain(text)}\n`).join("")}`;
}

/** Meanings stand in docs/configuration.md too, as Markdown. */
function plain(text = ""): string {
  return text.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

export function listKeys(tables: readonly RoleTable[]): string {
  return tables
    .map(
      ({ name, keys }) =>
        `${name}:\n${keys.map(({ path, meaning }) => `  ${path}: ${plain(meaning)}\n`).join("")}`,
    )
    .join("\n");
}

function refuse(tables: readonly RoleTable[], name: string): string {
  const known = tables.flatMap(({ keys }) =>
    keys.flatMap(({ path, variables, hocon }) => [path, ...variables, ...hocon]),
  );
  const nearest = findNearestWord(name, known);
  const hint = nearest === undefined ? "callsign config explain lists the keys" : `did you mean ${nearest}?`;
  return `${name} is no key, environment variable or HOCON path that is known: ${hint}\n`;
}
