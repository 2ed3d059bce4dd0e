/** The options that name the sources of configuration, alike for every command that reads it. */
import { parseArgs } from "node:util";
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

export type OwnOptions = Readonly<Record<string, string | boolean | undefined>>;

/** The options of a command beside the sources. */
export type OptionTable = Readonly<Record<string, OwnOption>>;

export interface OwnOption {
  /** With a value, or without one. */
  readonly type: "string" | "boolean";
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
  const own = Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, { type }]));
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...given],
      allowPositionals: true,
      tokens: true,
      options: { ...SOURCES, ...own },
    });
    // Their order counts, and `values` has it by option only.
    const sets = tokens.flatMap((token) => {
      if (token.kind !== "option" || token.value === undefined) return [];
      const key = table[token.name]?.sets;
      if (key !== undefined) return [{ text: `${key}=${token.value}`, isText: false }];
      if (token.name !== "set" && token.name !== "set-string") return [];
      return [{ text: token.value, isText: token.name === "set-string" }];
    });
    const folder = values.secrets;
    const source = {
      files: values.values ?? [],
      sets,
      environment,
      ...(folder === undefined ? {} : { secretsFolder: folder }),
    };
    const entries = Object.keys(table).map((name) => [name, (values as OwnOptions)[name]]);
    return { ok: true, source, words: positionals, own: Object.fromEntries(entries) as OwnOptions };
  } catch (error) {
    return { ok: false, problem: explainArguments(error, Object.keys({ ...SOURCES, ...own })) };
  }
}
