/** The options that name the sources of configuration, alike for every command that reads it. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { explainArguments } from "@callsign/node";
import type { ConfigSource } from "./config-source.ts";

export const SOURCE_USAGE = `  -f, --values <file>      a values file; of several, the later one wins
  --set <key=value>        one value, in helm's syntax, above the files
  --set-string <key=value> the same, and the value stays text
  --secrets <folder>       mounted secrets: <folder>/<secret name>/<key>`;

export type SourceOptions =
  | {
      readonly ok: true;
      readonly source: ConfigSource;
      readonly words: readonly string[];
      /** The command's own options. */
      readonly own: OwnOptions;
    }
  | { readonly ok: false; readonly problem: string };

export type OwnLine =
  | { readonly ok: true; readonly words: readonly string[]; readonly own: OwnOptions }
  | { readonly ok: false; readonly problem: string };

export type OwnOptions = Readonly<Record<string, string | boolean | undefined>>;

/** The options of a command beside the sources. */
export type OptionTable = Readonly<Record<string, OwnOption>>;

export interface OwnOption {
  /** With a value, or without one. */
  readonly type: "string" | "boolean";
  /** One letter that stands for it. */
  readonly short?: string;
  /** Its value, as help shows it. */
  readonly form?: string;
  readonly meaning?: string;
  /** The values that it may have; any if omitted. */
  readonly choices?: readonly string[];
  /** The meaning of a value that must be given. */
  readonly needed?: string;
  /** The key that it sets: `--name value` is short for `--set key=value`. */
  readonly sets?: string;
}

const SOURCES = {
  values: { type: "string", short: "f", multiple: true },
  set: { type: "string", multiple: true },
  "set-string": { type: "string", multiple: true },
  secrets: { type: "string" },
} as const;

/** `words` are the arguments that are no options. */
export function parseSourceOptions(
  given: readonly string[],
  environment: ConfigSource["environment"],
  table: OptionTable = {},
): SourceOptions {
  const parsed = parse(given, table, SOURCES);
  if (!parsed.ok) return parsed;
  const { values, tokens, words } = parsed;
  // Their order counts, and `values` has it by option only.
  const sets = tokens.flatMap((token) => {
    if (token.kind !== "option" || token.value === undefined) return [];
    const key = table[token.name]?.sets;
    if (key !== undefined) return [{ text: `${key}=${token.value}`, isText: false }];
    if (token.name !== "set" && token.name !== "set-string") return [];
    return [{ text: token.value, isText: token.name === "set-string" }];
  });
  const folder = values["secrets"] as string | undefined;
  const source = {
    files: (values["values"] as string[] | undefined) ?? [],
    sets,
    environment,
    ...(folder === undefined ? {} : { secretsFolder: folder }),
  };
  return { ok: true, source, words, own: pickOwn(values, table) };
}

/** The options of a command that reads no configuration. */
export function parseOwnOptions(given: readonly string[], table: OptionTable): OwnLine {
  const parsed = parse(given, table, {});
  if (!parsed.ok) return parsed;
  const own = pickOwn(parsed.values, table);
  for (const [name, { choices }] of Object.entries(table)) {
    const value = own[name];
    if (choices !== undefined && value !== undefined && !choices.includes(String(value)))
      return { ok: false, problem: `--${name} is ${choices.join(" or ")}, not ${value}` };
  }
  return { ok: true, words: parsed.words, own };
}

type ParsedValues = Readonly<Record<string, unknown>>;

function pickOwn(values: ParsedValues, table: OptionTable): OwnOptions {
  return Object.fromEntries(Object.keys(table).map((name) => [name, values[name]])) as OwnOptions;
}

function parse(given: readonly string[], table: OptionTable, more: NonNullable<ParseArgsConfig["options"]>) {
  const own = Object.fromEntries(
    Object.entries(table).map(([name, { type, short }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }) },
    ]),
  );
  const options = { ...more, ...own };
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...given],
      allowPositionals: true,
      tokens: true,
      options,
    });
    return { ok: true as const, values: values as ParsedValues, words: positionals, tokens };
  } catch (error) {
    return { ok: false as const, problem: explainArguments(error, Object.keys(options)) };
  }
}
