/**
 * The environment variables: the process's own, and below them those of `additionalEnvVars`, `additionalUsers` and
 * `additionalConfig` in the values. An empty variable counts as one that is not set, as in Splice's compose files.
 */
import { readSecret } from "../secrets/read-secret.ts";
import type { Finding } from "../values/finding.ts";
import type { ValueOrigin } from "../values/origin.ts";
import { findNode, type ValueMap, type ValueNode } from "../values/value-node.ts";
import type { ReadParts } from "./config-source.ts";

export interface EnvironmentValue {
  readonly text: string;
  readonly origin: ValueOrigin;
}

export function gatherEnvironment(
  values: ValueMap,
  parts: ReadParts,
  findings: Finding[],
): ReadonlyMap<string, EnvironmentValue> {
  const gathered = new Map<string, EnvironmentValue>();
  const put = (name: string, text: string) => {
    if (text.trim() !== "") gathered.set(name, { text, origin: { kind: "variable", name } });
  };
  const config = findNode(values, ["additionalConfig"]);
  if (config?.kind === "scalar") put("ADDITIONAL_CONFIG_OTHER", String(config.value));
  for (const list of ["additionalUsers", "additionalEnvVars"]) {
    const node = findNode(values, [list]);
    for (const item of node?.kind === "list" ? node.items : []) {
      const variable = readVariable(list, item, parts, findings);
      if (variable !== undefined) put(variable.name, variable.text);
    }
  }
  for (const [name, text] of Object.entries(parts.source.environment))
    if (text !== undefined) put(name, text);
  return gathered;
}

interface Variable {
  readonly name: string;
  readonly text: string;
}

function readVariable(
  list: string,
  item: ValueNode,
  { source, files }: ReadParts,
  findings: Finding[],
): Variable | undefined {
  const text = (...path: readonly string[]) => {
    const node = findNode(item, path);
    return node?.kind === "scalar" ? String(node.value) : undefined;
  };
  const name = text("name");
  const refuse = (problem: string, fix: string) => {
    findings.push({ key: name === undefined ? list : `${list}, ${name}`, problem, fix, origin: item.origin });
    return undefined;
  };
  const fix = "Write name and value, or name and valueFrom.secretKeyRef with name and key";
  if (name === undefined) return refuse("has an item without a name", fix);
  const given = text("value");
  if (given !== undefined) return { name, text: given };
  const ref = ["valueFrom", "secretKeyRef"];
  const [secret, key] = [text(...ref, "name"), text(...ref, "key")];
  if (secret === undefined || key === undefined)
    return refuse("has neither value nor valueFrom.secretKeyRef", fix);
  const isOptional = text(...ref, "optional") === "true";
  // The environment may have it anyway, as a container's has.
  if (source.environment[name] !== undefined) return undefined;
  if (source.secretsFolder === undefined) {
    if (isOptional) return undefined;
    return refuse(`is in the secret ${secret}`, `Give --secrets DIR, or the environment variable ${name}`);
  }
  const read = readSecret(files, source.secretsFolder, { name: secret, key });
  if (read.kind === "found") return { name, text: read.value };
  if (read.kind === "missing" && isOptional) return undefined;
  const problem = read.kind === "missing" ? "does not exist" : read.problem;
  return refuse(`is in the secret file ${read.file}, which ${problem}`, "Mount that secret");
}
