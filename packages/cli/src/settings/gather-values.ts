/**
 * All sources of configuration as one tree. Later wins: values files in their order, `--set`, environment variables,
 * additional configuration in HOCON. Mounted secrets fill in keys that no other source gives.
 */

import type { Key, KeyTable } from "../keys/key.ts";
import { describeFileError } from "../secrets/read-secret.ts";
import { ConfigFault, type Finding } from "../values/finding.ts";
import { MAX_VALUES_FILES } from "../values/limits.ts";
import { mergeValues } from "../values/merge-values.ts";
import { applySet } from "../values/parse-set.ts";
import { parseValuesFile } from "../values/parse-values-file.ts";
import {
  emptyMap,
  findNode,
  type KeyPath,
  putNode,
  splitKeyPath,
  type ValueMap,
} from "../values/value-node.ts";
import { applyAdditionalConfig } from "./additional-config.ts";
import type { ReadParts } from "./config-source.ts";
import { type EnvironmentValue, gatherEnvironment } from "./gather-environment.ts";
import { findKeySecret } from "./mounted-secrets.ts";
import type { UnusedKey } from "./setups.ts";

export interface Gathered {
  readonly values: ValueMap;
  readonly findings: readonly Finding[];
  /** Paths of additional configuration without an effect. */
  readonly unusedKeys: readonly UnusedKey[];
}

export function gatherValues(table: KeyTable, parts: ReadParts): Gathered {
  const findings: Finding[] = [];
  const unusedKeys: UnusedKey[] = [];
  let values = readFiles(parts, findings);
  for (const { text, isText } of parts.source.sets) {
    values = attempt(findings, values, () => applySet(values, text, { isText }));
  }
  const environment = gatherEnvironment(values, parts, findings);
  values = applyEnvironment(table, values, environment);
  values = applyAdditionalConfig({ table, values, environment, findings, unusedKeys });
  for (const key of table) values = fillFromSecret(key, values, parts, findings);
  return { values, findings, unusedKeys };
}

function readFiles({ source, files }: ReadParts, findings: Finding[]): ValueMap {
  let values = emptyMap({ kind: "set", text: "" });
  if (source.files.length > MAX_VALUES_FILES) {
    const problem = `there are ${source.files.length} values files, and at most ${MAX_VALUES_FILES} are read`;
    findings.push({ key: "-f", problem, fix: "Give fewer" });
  }
  for (const file of source.files.slice(0, MAX_VALUES_FILES)) {
    values = attempt(findings, values, () =>
      mergeValues(values, parseValuesFile(file, readText(files, file))),
    );
  }
  return values;
}

function readText(files: ReadParts["files"], file: string): string {
  let text: string | null;
  try {
    text = files.read(file);
  } catch (error) {
    const problem = `cannot be read: ${describeFileError(error)}`;
    throw new ConfigFault(
      { key: file, problem, fix: "Name a readable values file after -f" },
      { cause: error },
    );
  }
  if (text !== null) return text;
  throw new ConfigFault({
    key: file,
    problem: "does not exist",
    fix: "Name an existing values file after -f",
  });
}

function attempt<T>(findings: Finding[], otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    findings.push(error.finding);
    return otherwise;
  }
}

function applyEnvironment(
  table: KeyTable,
  values: ValueMap,
  environment: ReadonlyMap<string, EnvironmentValue>,
): ValueMap {
  let changed = values;
  for (const { path, variables } of table) {
    const name = variables.find((each) => environment.has(each));
    const given = name === undefined ? undefined : environment.get(name);
    if (given === undefined) continue;
    changed = putNode(changed, splitKeyPath(path), {
      kind: "scalar",
      value: given.text,
      origin: given.origin,
    });
  }
  return changed;
}

function fillFromSecret(
  key: Key,
  values: ValueMap,
  { source, files }: ReadParts,
  findings: Finding[],
): ValueMap {
  const { mounted, path } = key;
  const folder = source.secretsFolder;
  if (mounted === undefined || folder === undefined) return values;
  if (isTaken(values, splitKeyPath(path))) return values;
  const read = findKeySecret({ mounted, values, folder, files });
  if (read.kind === "faulty") {
    const fix = "Mount the secret with a value that can be read, or give the key otherwise";
    findings.push({ key: path, problem: `has the secret file ${read.file}, which ${read.problem}`, fix });
  }
  if (read.kind !== "found") return values;
  return putNode(values, splitKeyPath(path), {
    kind: "scalar",
    value: read.value,
    origin: { kind: "secret", file: read.file },
  });
}

/** True if there is a value at the path, or one in its way. */
function isTaken(values: ValueMap, path: KeyPath): boolean {
  if (findNode(values, path) !== undefined) return true;
  return path.some((_, i) => {
    const above = findNode(values, path.slice(0, i));
    return above !== undefined && above.kind !== "map";
  });
}
