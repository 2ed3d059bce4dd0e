/** Helm's order: maps are merged key by key, anything else is replaced, null deletes, and the later source wins. */
import type { ValueMap, ValueNode } from "./value-node.ts";

export function mergeValues(earlier: ValueMap, later: ValueMap): ValueMap {
  const entries = new Map(earlier.entries);
  for (const [name, node] of later.entries) {
    const before = entries.get(name);
    const merged =
      before?.kind === "map" && node.kind === "map" ? mergeValues(before, node) : withoutNulls(node);
    if (merged === undefined) entries.delete(name);
    else entries.set(name, merged);
  }
  return { ...later, entries };
}

function withoutNulls(node: ValueNode): ValueNode | undefined {
  if (node.kind === "null") return undefined;
  if (node.kind !== "map") return node;
  const kept = [...node.entries].flatMap(([name, each]) => {
    const inner = withoutNulls(each);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return { ...node, entries: new Map(kept) };
}
