// One row for each key: a value, and what it does to the setup. The same row is tried in a values file, by each of the
// key's environment variables and by each of its HOCON paths.

import type { Finding } from "../../packages/cli/src/values/finding.ts";
import type { Values } from "./setup-kit.ts";

export interface KeyEffect<T> {
  readonly given: unknown;
  readonly expected: unknown;
  readonly pick: (setup: T) => unknown;
  /** Further values that the key needs beside it; null takes a value of the base away. */
  readonly beside?: Values;
  /** The key is refused instead, with a finding about it. */
  readonly isRefused?: boolean;
}

export type Effects<T> = Readonly<Record<string, KeyEffect<T>>>;

/** The rows of a block at a prefix. */
export function effectsUnder<T>(prefix: string, effects: Effects<T>): Effects<T> {
  return Object.fromEntries(Object.entries(effects).map(([name, effect]) => [`${prefix}.${name}`, effect]));
}

/** A value at a dotted path. */
export function valuesAt(path: string, value: unknown): Values {
  return path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;
}

export function keysOfFindings(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ key }) => key);
}
