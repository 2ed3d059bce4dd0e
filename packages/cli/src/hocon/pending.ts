/** Values of HOCON while substitutions are still to be made. Maps grow as fields are merged into them. */
import type { ValueOrigin } from "../values/origin.ts";
import type { KeyPath, ValueNull, ValueScalar } from "../values/value-node.ts";

export type Pending =
  | PendingMap
  | ValueScalar
  | ValueNull
  | { readonly kind: "list"; readonly items: readonly Pending[]; readonly origin: ValueOrigin }
  /** Values beside each other: texts are joined, lists appended, maps merged. */
  | { readonly kind: "concatenation"; readonly parts: readonly Pending[]; readonly origin: ValueOrigin }
  /** The later one, on top of the earlier if both are maps. */
  | {
      readonly kind: "override";
      readonly earlier: Pending;
      readonly later: Pending;
      readonly origin: ValueOrigin;
    }
  | PendingReference;

export interface PendingMap {
  readonly kind: "map";
  readonly entries: Map<string, Pending>;
  readonly origin: ValueOrigin;
}

export interface PendingReference {
  readonly kind: "reference";
  readonly path: KeyPath;
  readonly isOptional: boolean;
  /** Of a value that refers to the one it replaces: that one. */
  readonly replaced?: { readonly value: Pending | undefined };
  readonly origin: ValueOrigin;
}

function isOpen({ kind }: Pending): boolean {
  return kind === "concatenation" || kind === "reference" || kind === "override";
}

/** The value of a path to which both were assigned. */
export function combine(earlier: Pending | undefined, later: Pending): Pending {
  if (earlier === undefined) return later;
  const mayMerge = (each: Pending) => each.kind === "map" || isOpen(each);
  if (earlier.kind === "map" && later.kind === "map") {
    for (const [name, value] of later.entries)
      earlier.entries.set(name, combine(earlier.entries.get(name), value));
    return earlier;
  }
  if (mayMerge(earlier) && mayMerge(later)) return { kind: "override", earlier, later, origin: later.origin };
  // An optional substitution without a value leaves the earlier one.
  return isOpen(later) ? { kind: "override", earlier, later, origin: later.origin } : later;
}

/** The value at a path, as far as maps lead. */
export function findPending(map: Pending | undefined, path: KeyPath): Pending | undefined {
  const [first, ...rest] = path;
  if (first === undefined || map === undefined) return map;
  return map.kind === "map" ? findPending(map.entries.get(first), rest) : undefined;
}
