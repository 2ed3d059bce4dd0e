/**
 * Additional configuration: every variable `ADDITIONAL_CONFIG*`, as HOCON, in the order of their names. Each honoured
 * path is a key of the values, and wins over it; other paths are refused by name.
 */

import { findNearestWord } from "@callsign/node";
import { parseHocon } from "../hocon/parse-hocon.ts";
import { type HoconPart, resolveHocon } from "../hocon/resolve-hocon.ts";
import { ACCEPTED_PATHS } from "../keys/accepted-paths.ts";
import { PARTICIPANT_ROOT, VALIDATOR_ROOT } from "../keys/hocon-roots.ts";
import type { Key, KeyTable } from "../keys/key.ts";
import { ConfigFault, type Finding } from "../values/finding.ts";
import { formatOrigin } from "../values/origin.ts";
import {
  formatKeyPath,
  type KeyPath,
  putNode,
  splitKeyPath,
  type ValueMap,
  type ValueNode,
} from "../values/value-node.ts";
import type { EnvironmentValue } from "./gather-environment.ts";
import type { UnusedKey } from "./setups.ts";
import { SPECIAL_PATHS } from "./special-paths.ts";

const PREFIX = "ADDITIONAL_CONFIG";

interface Parts {
  readonly table: KeyTable;
  readonly values: ValueMap;
  readonly environment: ReadonlyMap<string, EnvironmentValue>;
  readonly findings: Finding[];
  readonly unusedKeys: UnusedKey[];
}

export function applyAdditionalConfig(parts: Parts): ValueMap {
  const { environment, findings } = parts;
  const names = [...environment.keys()].filter((name) => name.startsWith(PREFIX)).sort();
  try {
    const objects = names.flatMap((variable): readonly HoconPart[] => {
      try {
        return [{ variable, object: parseHocon(variable, environment.get(variable)?.text ?? "") }];
      } catch (error) {
        if (!(error instanceof ConfigFault)) throw error;
        findings.push(error.finding);
        return [];
      }
    });
    const root = resolveHocon(objects, (name) => environment.get(name)?.text);
    return new PathWalk(parts).walk(root);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    findings.push(error.finding);
    return parts.values;
  }
}

/** A path that is honoured: as the key it names, or in a way of its own. */
interface Candidate {
  readonly key: Key;
  readonly rest: KeyPath;
  /** The names that stand for `*`. */
  readonly names: readonly string[];
}

class PathWalk {
  readonly #parts: Parts;
  #values: ValueMap;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#values = parts.values;
  }

  walk(root: ValueMap): ValueMap {
    const candidates = this.#parts.table.flatMap((key) =>
      key.hocon.map((path) => ({ key, rest: splitKeyPath(path), names: [] })),
    );
    for (const [name, node] of root.entries) {
      // Names with an underscore are the operator's own, for substitutions.
      if (!name.startsWith("_")) this.#visit(node, [name], step(candidates, name));
    }
    return this.#values;
  }

  #visit(node: ValueNode, path: KeyPath, candidates: readonly Candidate[]): void {
    const name = formatKeyPath(path);
    const special = SPECIAL_PATHS.get(name);
    const settings = special?.(node);
    if (settings !== undefined) {
      if ("problem" in settings) this.#refuse(path, node, settings.problem, settings.fix);
      else
        for (const [key, value] of settings.settings)
          this.#values = putNode(this.#values, splitKeyPath(key), value);
      return;
    }
    const exact = candidates.filter(({ rest }) => rest.length === 0);
    if (exact.length > 0) {
      for (const candidate of exact) this.#put(candidate, node);
      return;
    }
    if (this.#isUnused(name, node)) return;
    if (node.kind === "map") {
      const isKnown = candidates.length > 0 || isAbove(name);
      if (!isKnown) this.#refuseUnknown(path, node);
      else
        for (const [inner, value] of node.entries)
          this.#visit(value, [...path, inner], step(candidates, inner));
      return;
    }
    const isCleared = node.kind === "null" || (node.kind === "scalar" && node.value === "");
    if (!isCleared || candidates.length === 0) this.#refuseUnknown(path, node);
    // An empty value in an object's place takes away what stood there.
    else for (const candidate of candidates) this.#put(candidate, { kind: "null", origin: node.origin });
  }

  #put({ key, names }: Candidate, node: ValueNode): void {
    const bound = [...names];
    const path = splitKeyPath(key.path).map((part) => (part === "*" ? (bound.shift() ?? part) : part));
    if (path.includes("*")) return;
    this.#values = putNode(this.#values, path, key.type.kind === "list" ? asList(node) : node);
  }

  #isUnused(name: string, node: ValueNode): boolean {
    const accepted = ACCEPTED_PATHS.find(({ path }) => path === name);
    const other = this.#otherRole(name);
    const reason = accepted?.reason ?? other;
    if (reason === undefined) return false;
    this.#parts.unusedKeys.push({ key: name, reason, from: formatOrigin(node.origin) });
    return true;
  }

  /** One environment may serve both processes. */
  #otherRole(name: string): string | undefined {
    const roots = [VALIDATOR_ROOT, PARTICIPANT_ROOT];
    const own = roots.filter((root) =>
      this.#parts.table.some(({ hocon }) => hocon.some((path) => path.startsWith(root))),
    );
    const root = roots.find((each) => name === each && !own.includes(each));
    if (root === undefined) return undefined;
    return root === VALIDATOR_ROOT ? "it is for a validator" : "it is for a participant";
  }

  #refuseUnknown(path: KeyPath, node: ValueNode): void {
    const known = this.#parts.table.flatMap(({ hocon }) => hocon);
    const nearest = findNearestWord(formatKeyPath(path), known);
    const fix =
      nearest === undefined
        ? "Remove it; docs/configuration.md lists the paths that are"
        : `Did you mean ${nearest}?`;
    this.#refuse(path, node, "is not a path that is honoured here", fix);
  }

  #refuse(path: KeyPath, { origin }: ValueNode, problem: string, fix: string): void {
    this.#parts.findings.push({ key: formatKeyPath(path), problem, fix, origin });
  }
}

/** True for a path above one that is accepted or belongs to another role. */
function isAbove(name: string): boolean {
  const others = [
    ...ACCEPTED_PATHS.map(({ path }) => path),
    VALIDATOR_ROOT,
    PARTICIPANT_ROOT,
    ...SPECIAL_PATHS.keys(),
  ];
  return others.some((path) => path.startsWith(`${name}.`));
}

function step(candidates: readonly Candidate[], name: string): readonly Candidate[] {
  return candidates.flatMap(({ key, rest, names }) => {
    if (rest[0] === name) return [{ key, rest: rest.slice(1), names }];
    return rest[0] === "*" ? [{ key, rest: rest.slice(1), names: [...names, name] }] : [];
  });
}

/** `users.0 = a` and `users.1 = b` are a list too. */
function asList(node: ValueNode): ValueNode {
  if (node.kind !== "map") return node;
  const entries = [...node.entries];
  if (!entries.every(([name]) => /^\d{1,6}$/.test(name))) return node;
  const items = entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
  return { kind: "list", items, origin: node.origin };
}
