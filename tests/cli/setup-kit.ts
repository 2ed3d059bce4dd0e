// Reads setups from real files in a temporary folder, as the command does.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemHost } from "@callsign/node";
import { inject } from "vitest";
import type { ReadParts, SetupOutcome } from "../../packages/cli/src/settings/config-source.ts";

/** Values of a file; JSON is YAML too. */
export type Values = { readonly [key: string]: unknown };

export interface Given {
  /** Values files, the later one winning. */
  readonly files?: readonly (Values | string)[];
  readonly sets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Mounted secrets: `name/key` and content. */
  readonly secrets?: Readonly<Record<string, string>>;
}

let root: string | null = null;
let folders = 0;

/** Gone after the run. */
export function makeFolder(): string {
  folders++;
  root ??= mkdtempSync(join(inject("runFolder"), "config-"));
  const folder = join(root, String(folders));
  mkdirSync(folder);
  return folder;
}

/** Files of equal content are written once, and so are mounted secrets. */
const writtenValues = new Map<string, string>();
const writtenSecrets = new Map<string, string>();

function writeValues(values: Values | string): string {
  const text = typeof values === "string" ? values : JSON.stringify(values);
  const known = writtenValues.get(text);
  if (known !== undefined) return known;
  const path = join(makeFolder(), "values.yaml");
  writeFileSync(path, text);
  writtenValues.set(text, path);
  return path;
}

function writeSecrets(secrets: NonNullable<Given["secrets"]>): string {
  const content = JSON.stringify(secrets);
  const known = writtenSecrets.get(content);
  if (known !== undefined) return known;
  const folder = makeFolder();
  for (const [name, text] of Object.entries(secrets)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writtenSecrets.set(content, folder);
  return folder;
}

export function writeParts({ files = [], sets = [], environment = {}, secrets }: Given): ReadParts {
  const source = {
    files: files.map(writeValues),
    sets: sets.map((text) => ({ text, isText: false })),
    environment,
    ...(secrets === undefined ? {} : { secretsFolder: writeSecrets(secrets) }),
  };
  return { source, files: systemHost.files };
}

/** The options that name the configuration on a command line. */
export function argumentsOf(given: Given): readonly string[] {
  const { files, sets, secretsFolder } = writeParts(given).source;
  return [
    ...files.flatMap((file) => ["-f", file]),
    ...sets.flatMap(({ text }) => ["--set", text]),
    ...(secretsFolder === undefined ? [] : ["--secrets", secretsFolder]),
  ];
}

export function setupOf<T>(outcome: SetupOutcome<T>): T {
  if (outcome.ok) return outcome.setup;
  throw new Error(`findings: ${JSON.stringify(outcome.findings, null, 2)}`);
}
