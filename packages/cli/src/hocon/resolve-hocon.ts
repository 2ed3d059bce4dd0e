/**
 * Merges parsed HOCON in its order and makes substitutions: first from the configuration itself, then from variables.
 * The last field of a path wins, objects are merged, and a value may refer to the one it replaces.
 */
import { ConfigFault } from "../values/finding.ts";
import { MAX_CONFIG_DEPTH, MAX_CONFIG_NODES } from "../values/limits.ts";
import type { ValueOrigin } from "../values/origin.ts";
import { formatKeyPath, type KeyPath, type ValueMap, type ValueNode } from "../values/value-node.ts";
import type { HoconField, HoconObject, HoconValue } from "./hocon-syntax.ts";
import { combine, findPending, type Pending, type PendingMap, type PendingReference } from "./pending.ts";

export interface HoconPart {
  readonly variable: string;
  readonly object: HoconObject;
}

interface Resolving {
  readonly root: PendingMap;
  readonly findVariable: (name: string) => string | undefined;
  /** References that are being followed. */
  readonly open: Set<Pending>;
  nodes: number;
  depth: number;
}

/** Throws a `ConfigFault`. */
export function resolveHocon(
  parts: readonly HoconPart[],
  findVariable: (name: string) => string | undefined,
): ValueMap {
  const origin: ValueOrigin = { kind: "variable", name: parts[0]?.variable ?? "", line: 1 };
  const root: PendingMap = { kind: "map", entries: new Map(), origin };
  for (const { variable, object } of parts) {
    for (const field of object.fields) assign(root, { field, prefix: [], variable });
  }
  const resolved = resolve(root, { root, findVariable, open: new Set(), nodes: 0, depth: 0 });
  return resolved?.kind === "map" ? resolved : { kind: "map", entries: new Map(), origin };
}

interface Assigning {
  readonly field: HoconField;
  /** The path of the object that the field stands in. */
  readonly prefix: KeyPath;
  readonly variable: string;
}

function assign(root: PendingMap, { field, prefix, variable }: Assigning): void {
  const { value, appends } = field;
  const path = [...prefix, ...field.path];
  if (value.kind === "object" && !appends) {
    putIn(root, path, {
      kind: "map",
      entries: new Map(),
      origin: { kind: "variable", name: variable, line: value.line },
    });
    for (const inner of value.fields) assign(root, { field: inner, prefix: path, variable });
    return;
  }
  const replaced = findPending(root, path);
  const pending = toPending(value, { own: path, replaced, variable });
  if (!appends) {
    putIn(root, path, pending);
    return;
  }
  const { origin } = pending;
  const before: Pending = {
    kind: "reference",
    path,
    isOptional: true,
    replaced: { value: replaced },
    origin,
  };
  putIn(root, path, {
    kind: "concatenation",
    parts: [before, { kind: "list", items: [pending], origin }],
    origin,
  });
}

function putIn(root: PendingMap, path: KeyPath, value: Pending): void {
  const nested = path
    .slice(1)
    .reduceRight<Pending>(
      (inner, name) => ({ kind: "map", entries: new Map([[name, inner]]), origin: value.origin }),
      value,
    );
  const [first = ""] = path;
  root.entries.set(first, combine(root.entries.get(first), nested));
}

interface Place {
  /** The path of the field; a reference to it means the value that it replaces. */
  readonly own: KeyPath;
  readonly replaced: Pending | undefined;
  readonly variable: string;
}

function toPending(value: HoconValue, place: Place): Pending {
  const origin: ValueOrigin = { kind: "variable", name: place.variable, line: value.line };
  switch (value.kind) {
    case "text":
      if (!value.isQuoted && value.text === "null") return { kind: "null", origin };
      return { kind: "scalar", value: value.text, origin };
    case "array":
      return { kind: "list", items: value.items.map((item) => toPending(item, place)), origin };
    case "concatenation":
      return { kind: "concatenation", parts: value.parts.map((part) => toPending(part, place)), origin };
    case "reference": {
      const { path, isOptional } = value;
      const isOwn = formatKeyPath(path) === formatKeyPath(place.own);
      return {
        kind: "reference",
        path,
        isOptional,
        origin,
        ...(isOwn ? { replaced: { value: place.replaced } } : {}),
      };
    }
    case "object": {
      const map: PendingMap = { kind: "map", entries: new Map(), origin };
      for (const field of value.fields) assign(map, { field, prefix: [], variable: place.variable });
      return map;
    }
  }
}

function resolve(pending: Pending, resolving: Resolving): ValueNode | undefined {
  resolving.nodes++;
  if (resolving.nodes > MAX_CONFIG_NODES) {
    throw refuse(pending.origin, `comes to more than ${MAX_CONFIG_NODES} values`);
  }
  if (resolving.depth > 4 * MAX_CONFIG_DEPTH) throw refuse(pending.origin, "is nested too deep");
  resolving.depth++;
  try {
    return resolveKind(pending, resolving);
  } finally {
    resolving.depth--;
  }
}

function resolveKind(pending: Pending, resolving: Resolving): ValueNode | undefined {
  const { origin } = pending;
  switch (pending.kind) {
    case "scalar":
    case "null":
      return pending;
    case "list":
      return { kind: "list", items: pending.items.flatMap((item) => resolve(item, resolving) ?? []), origin };
    case "map": {
      const entries = new Map<string, ValueNode>();
      for (const [name, inner] of pending.entries) {
        const node = resolve(inner, resolving);
        if (node !== undefined) entries.set(name, node);
      }
      return { kind: "map", entries, origin };
    }
    case "override": {
      const later = resolve(pending.later, resolving);
      if (later !== undefined && later.kind !== "map") return later;
      const earlier = resolve(pending.earlier, resolving);
      if (later === undefined) return earlier;
      return earlier?.kind === "map" ? mergeMaps(earlier, later) : later;
    }
    case "concatenation":
      return concatenate(
        pending.parts.flatMap((part) => resolve(part, resolving) ?? []),
        origin,
      );
    case "reference":
      return resolveReference(pending, resolving);
  }
}

/** Unlike values files, HOCON keeps a null as a value. */
function mergeMaps(earlier: ValueMap, later: ValueMap): ValueMap {
  const entries = new Map(earlier.entries);
  for (const [name, node] of later.entries) {
    const before = entries.get(name);
    entries.set(name, before?.kind === "map" && node.kind === "map" ? mergeMaps(before, node) : node);
  }
  return { ...later, entries };
}

function concatenate(nodes: readonly ValueNode[], origin: ValueOrigin): ValueNode | undefined {
  const isBlank = (node: ValueNode) => node.kind === "scalar" && String(node.value).trim() === "";
  const solid = nodes.filter((node) => !isBlank(node));
  const [first, ...rest] = solid;
  if (first === undefined) return nodes.length === 0 ? undefined : { kind: "scalar", value: "", origin };
  if (rest.length === 0 && first.kind !== "scalar") return first;
  if (solid.every((node) => node.kind === "map"))
    return solid.reduce<ValueMap>((a, b) => mergeMaps(a, b), { kind: "map", entries: new Map(), origin });
  if (solid.every((node) => node.kind === "list"))
    return { kind: "list", items: solid.flatMap(({ items }) => items), origin };
  if (!solid.every((node) => node.kind === "scalar")) {
    throw refuse(origin, "puts texts, lists and objects beside each other");
  }
  const text = nodes.map((node) => (node.kind === "scalar" ? String(node.value) : "")).join("");
  return { kind: "scalar", value: text, origin };
}

function resolveReference(reference: PendingReference, resolving: Resolving): ValueNode | undefined {
  const { path, isOptional, replaced, origin } = reference;
  if (resolving.open.has(reference)) throw refuse(origin, `refers to itself by \${${formatKeyPath(path)}}`);
  resolving.open.add(reference);
  try {
    const found =
      replaced === undefined
        ? findResolved(path, resolving)
        : replaced.value && resolve(replaced.value, resolving);
    if (found !== undefined) return found;
  } finally {
    resolving.open.delete(reference);
  }
  const text = resolving.findVariable(path.join("."));
  if (text !== undefined) return { kind: "scalar", value: text, origin };
  if (isOptional) return undefined;
  const name = formatKeyPath(path);
  throw new ConfigFault({
    key: origin.kind === "variable" ? origin.name : name,
    problem: `uses \${${name}}, and there is neither such a path nor such a variable`,
    fix: `Set ${name}, or write \${?${name}}`,
    origin,
  });
}

/** Follows maps, and whatever comes to a map. */
function findResolved(path: KeyPath, resolving: Resolving): ValueNode | undefined {
  let pending: Pending | undefined = resolving.root;
  for (const [i, name] of path.entries()) {
    if (pending === undefined) return undefined;
    if (pending.kind !== "map") {
      let node: ValueNode | undefined = resolve(pending, resolving);
      for (const inner of path.slice(i)) node = node?.kind === "map" ? node.entries.get(inner) : undefined;
      return node;
    }
    pending = pending.entries.get(name);
  }
  return pending === undefined ? undefined : resolve(pending, resolving);
}

function refuse(origin: ValueOrigin, problem: string): ConfigFault {
  const key = origin.kind === "variable" ? origin.name : "additional configuration";
  return new ConfigFault({ key, problem, fix: "Write the value out", origin });
}
