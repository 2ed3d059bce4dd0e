/** A value of the configuration: a tree in which every node remembers where it came from. */
import type { ValueOrigin } from "./origin.ts";

export type Scalar = string | number | boolean;

export type ValueNode = ValueMap | ValueList | ValueScalar | ValueNull;

export interface ValueMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, ValueNode>;
  readonly origin: ValueOrigin;
}

export interface ValueList {
  readonly kind: "list";
  readonly items: readonly ValueNode[];
  readonly origin: ValueOrigin;
}

export interface ValueScalar {
  readonly kind: "scalar";
  readonly value: Scalar;
  readonly origin: ValueOrigin;
}

/** Deletes the key of an earlier source. */
export interface ValueNull {
  readonly kind: "null";
  readonly origin: ValueOrigin;
}

export type KeyPath = readonly string[];

export function emptyMap(origin: ValueOrigin): ValueMap {
  return { kind: "map", entries: new Map(), origin };
}

export function findNode(node: ValueNode | undefined, path: KeyPath): ValueNode | undefined {
  const [first, ...rest] = path;
  if (first === undefined || node === undefined) return node;
  return node.kind === "map" ? findNode(node.entries.get(first), rest) : undefined;
}

/** The map with this node at the path. A node at the path, or in its way, is replaced. */
export function putNode(map: ValueMap, path: KeyPath, node: ValueNode): ValueMap {
  const [first, ...rest] = path;
  if (first === undefined) return node.kind === "map" ? node : map;
  const inner = map.entries.get(first);
  const below = inner?.kind === "map" ? inner : emptyMap(node.origin);
  const next = rest.length === 0 ? node : putNode(below, rest, node);
  return { ...map, entries: new Map(map.entries).set(first, next) };
}

/** `persistence.host`; names with dots are quoted. */
export function formatKeyPath(path: KeyPath): string {
  return path.map((name) => (/^[^.\s"]+$/.test(name) ? name : JSON.stringify(name))).join(".");
}

/** The opposite of `formatKeyPath`, for keys of our own tables, which have no dots in their names. */
export function splitKeyPath(text: string): KeyPath {
  return text.split(".");
}
