// docs/configuration.md and the source that it is compared with, for the tests that compare them.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const repositoryRoot = join(import.meta.dirname, "../..");

export const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
export const markdown = read("docs/configuration.md");

/** The text under a heading, up to the next one. */
export function sectionOf(heading: string): string {
  const [, after] = markdown.split(new RegExp(`^#+ ${heading}$`, "m"));
  if (after === undefined) throw new Error(`docs/configuration.md has no section ${heading}`);
  return after.split(/^#+ /m)[0] ?? "";
}

/** The rows of the tables with this header, without backticks. */
export function rowsOf(text: string, header: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) inside = false;
    else if (line === header) inside = true;
    else if (inside && !line.startsWith("|---")) rows.push(cellsOf(line));
  }
  return rows;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\| ?|\|$/g, "")
    .split("|")
    .map((cell) => cell.trim().replaceAll("`", ""));
}

type Key = readonly [key: string, optional: boolean];

/** The keys of an interface, and whether each may be left out; those of a port come first, if it extends `Listening`. */
export function keysOf(path: string, name: string): readonly Key[] {
  const declared = new RegExp(`interface ${name}( extends [^{]+)? \\{\\n([\\s\\S]*?)\\n\\}`).exec(read(path));
  const [, base = "", body = ""] = declared ?? [];
  const own = [...body.matchAll(/^ {2}readonly (\w+)(\??):/gm)].map(
    ([, key = "", mark]): Key => [key, mark === "?"],
  );
  return [...inheritedKeys(base), ...own];
}

function inheritedKeys(base: string): readonly Key[] {
  if (!base.includes("Listening")) return [];
  const keys = keysOf("packages/node/src/http/listening.ts", "Listening");
  return base.includes("Pick<") ? keys.filter(([key]) => base.includes(`"${key}"`)) : keys;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  characters: 1,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  KiB: 1024,
  MiB: 1024 * 1024,
};

/** The document's value, in the source's smallest unit, which the name of the constant or key tells. */
export function stated(value: string, constant: string): number {
  const [, digits = "", unit = ""] = /^([\d,]+) ?(\w*)$/.exec(value) ?? [];
  const factor = UNITS[unit];
  if (digits === "" || factor === undefined) throw new Error(`${value} is no number with a unit`);
  const milliseconds = Number(digits.replaceAll(",", "")) * factor;
  if (constant.endsWith("_MICROSECONDS")) return milliseconds * 1000;
  return constant.endsWith("_SECONDS") ? milliseconds / 1000 : milliseconds;
}

/** The source's value: a number, or a product or quotient of numbers and other constants of the file. */
export function written(path: string, constant: string): number {
  const [name = "", field] = constant.split(".");
  const source = read(path);
  const [, whole = ""] = new RegExp(`const ${name}(?:: \\w+)? = ([^;]+);`).exec(source) ?? [];
  const expression =
    field === undefined ? whole : (new RegExp(`\\b${field}: ([^,}]+)[,}]`).exec(whole)?.[1] ?? "").trim();
  if (!/^[\w*/ ]+$/.test(expression)) throw new Error(`${path} has no number ${constant}`);
  const [first = "", ...more] = expression.split(/([*/])/).map((part) => part.trim());
  let value = factorOf(path, first);
  for (let i = 0; i < more.length; i += 2) {
    const factor = factorOf(path, more[i + 1] ?? "");
    value = more[i] === "*" ? value * factor : value / factor;
  }
  return value;
}

/** Units of time stand in a file of their own. */
function factorOf(path: string, text: string): number {
  if (!/^[A-Z]/.test(text)) return Number(text.replaceAll(/[_n]/g, ""));
  const isHere = new RegExp(`const ${text}\\b`).test(read(path));
  return written(isHere ? path : "packages/ledger/src/values/duration.ts", text);
}
