/**
 * Compose files as `docker compose` reads them, as far as ours go: several files merged, variables filled in from the
 * environment and `.env`. Maps are merged by key; volumes of a service are added; everything else is replaced.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

type Tree = { readonly [key: string]: Value };
type Value = Tree | readonly Value[] | string | number | boolean | null;

export interface ComposeService {
  readonly command?: readonly string[] | string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface ComposeProject {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, { readonly name: string; readonly external: boolean }>>;
}

/** Throws if a file names a variable that neither the environment nor `.env` has. */
export function readComposeProject(
  folder: string,
  files: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ComposeProject {
  const variables = { ...parseVariables(readFileSync(join(folder, ".env"), "utf8")), ...environment };
  const trees = files.map((file) => parse(readFileSync(join(folder, file), "utf8")) as Value);
  const merged = trees.reduce((below, above) => merge(below, above, []));
  return fillIn(merged, variables) as unknown as ComposeProject;
}

export function parseVariables(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

function merge(below: Value | undefined, above: Value, path: readonly string[]): Value {
  if (below === undefined) return above;
  if (isTree(below) && isTree(above)) {
    const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
    return Object.fromEntries(
      [...keys].map((key) => {
        const over = above[key];
        return [key, over === undefined ? (below[key] ?? null) : merge(below[key], over, [...path, key])];
      }),
    );
  }
  if (Array.isArray(below) && Array.isArray(above) && path.at(-1) === "volumes") return [...below, ...above];
  return above;
}

function isTree(value: Value): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fillIn(value: Value, variables: Readonly<Record<string, string | undefined>>): Value {
  if (typeof value === "string") return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillIn(item as Value, variables));
  if (value === null || !isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillIn(each, variables)]));
}

/** `${NAME}`, `${NAME:-otherwise}` where otherwise may have variables itself, and `$$` for a dollar. */
function interpolate(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  const otherwise = String.raw`(?::-((?:[^{}]|\$\{\w+\})*))?`;
  return text.replaceAll(new RegExp(String.raw`\$\$|\$\{(\w+)${otherwise}\}`, "g"), (whole, name, given) => {
    if (whole === "$$") return "$";
    const value = variables[String(name)];
    if (value !== undefined && (value !== "" || given === undefined)) return value;
    if (given === undefined) throw new Error(`${name} is set neither in the environment nor in .env`);
    return interpolate(String(given), variables);
  });
}
