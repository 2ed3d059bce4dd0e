/** A key of a role's values, and the other ways to give it. */
import type { KeyType } from "./key-type.ts";

export interface Key {
  /** `*` stands for any name, such as a party id; `[]` for an item of a list. */
  readonly path: string;
  readonly type: KeyType;
  /** The default in words, as Markdown; empty if there is none. */
  readonly otherwise: string;
  readonly meaning: string;
  /** Environment variables; the first that is set counts. */
  readonly variables: readonly string[];
  /** Paths of additional configuration in HOCON. */
  readonly hocon: readonly string[];
  /** The value is never shown. */
  readonly isSecret: boolean;
  /** The mounted secret that the value is read from, if it is given nowhere else. */
  readonly mounted?: MountedSecret;
  /** The reason why the key has no effect here. It is accepted, and named at the start. */
  readonly unused?: string;
}

/** `DIR/<name>/<key>`; either may be named by a key of the values. */
export interface MountedSecret {
  readonly name: string;
  readonly key: string;
  /** Tried after `name`. */
  readonly otherName?: string;
  readonly nameFrom?: string;
  readonly keyFrom?: string;
}

export type KeyTable = readonly Key[];

export type KeyOptions = Partial<Omit<Key, "path" | "type" | "meaning">>;

export function key(path: string, type: KeyType, meaning: string, options: KeyOptions = {}): Key {
  return { path, type, meaning, otherwise: "", variables: [], hocon: [], isSecret: false, ...options };
}

/** Keys that are accepted and have no effect here, for the given reason. */
export function unusedKeys(reason: string, keys: Readonly<Record<string, string>>): KeyTable {
  return Object.entries(keys).map(([path, meaning]) =>
    key(path, { kind: "anything" }, meaning, { unused: reason }),
  );
}

/** The keys of a block that stands at several places, such as the TLS of a port. */
export function under(prefix: string, keys: KeyTable): KeyTable {
  return keys.map((each) => ({ ...each, path: `${prefix}.${each.path}` }));
}
