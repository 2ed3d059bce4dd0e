/** The merged configuration as YAML, each value with its origin. Secrets, and texts that may hold some, are not shown. */
import { hideCredentials } from "@callsign/api";
import type { Key, KeyTable } from "../keys/key.ts";
import { findMatched, type KeyMatch, matchAll, matchItem, matchName } from "../keys/match-keys.ts";
import type { ReadParts } from "../settings/config-source.ts";
import { gatherValues } from "../settings/gather-values.ts";
import { formatFinding } from "../values/finding.ts";
import { formatOrigin } from "../values/origin.ts";
import type { ValueNode } from "../values/value-node.ts";

export function showConfig(table: KeyTable, parts: ReadParts): string {
  const { values, findings } = gatherValues(table, parts);
  const faults = findings.map((finding) => `# ${formatFinding(finding)}\n`);
  return `${faults.join("")}${linesOf(values, matchAll(table), "").join("\n")}\n`;
}

function linesOf(node: ValueNode, matches: readonly KeyMatch[], indent: string): readonly string[] {
  if (node.kind === "map") {
    return [...node.entries].flatMap(([name, inner]) =>
      entryLines(name, inner, matchName(matches, name), indent),
    );
  }
  if (node.kind !== "list") return [];
  return node.items.flatMap((item) => [`${indent}-`, ...linesOf(item, matchItem(matches), `${indent}  `)]);
}

function entryLines(
  name: string,
  node: ValueNode,
  matches: readonly KeyMatch[],
  indent: string,
): readonly string[] {
  if (node.kind === "null") return [];
  const label = /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name);
  const key = findMatched(matches);
  const origin = `# ${formatOrigin(node.origin)}`;
  if (key !== undefined) return [`${indent}${label}: ${shownValue(key, node)} ${origin}${noteOf(key)}`];
  if (matches.length === 0)
    return [`${indent}${label}: null # not a known key, and not shown; ${formatOrigin(node.origin)}`];
  return [`${indent}${label}:`, ...linesOf(node, matches, `${indent}  `)];
}

function shownValue(key: Key, node: ValueNode): string {
  return key.isSecret || key.type.kind === "anything" ? '"(not shown)"' : flow(node);
}

function noteOf({ unused }: Key): string {
  return unused === undefined ? "" : `; no effect here: ${unused}`;
}

/** JSON is YAML on one line. */
function flow(node: ValueNode): string {
  switch (node.kind) {
    case "scalar":
      return JSON.stringify(typeof node.value === "string" ? hideCredentials(node.value) : node.value);
    case "list":
      return `[${node.items.map(flow).join(", ")}]`;
    case "map":
      return `{ ${[...node.entries].map(([name, inner]) => `${JSON.stringify(name)}: ${flow(inner)}`).join(", ")} }`;
    case "null":
      return "null";
  }
}
