/** Reads keys of a table by their types, and collects every finding on the way. */

import { findNearestWord } from "@callsign/node";
import type { SettingFinding } from "@callsign/validator";
import type { Key, KeyTable } from "../keys/key.ts";
import { describeType, fitValue, type SettingValue } from "../keys/key-type.ts";
import { findKey, findMatched, type KeyMatch, matchAll, matchItem, matchName } from "../keys/match-keys.ts";
import type { Finding } from "../values/finding.ts";
import type { ValueOrigin } from "../values/origin.ts";
import { formatOrigin } from "../values/origin.ts";
import { formatKeyPath, type ValueNode } from "../values/value-node.ts";
import type { Gathered } from "./gather-values.ts";
import type { UnusedKey } from "./setups.ts";

interface Setting {
  readonly value: SettingValue;
  readonly origin: ValueOrigin;
}

export class KeyReader {
  readonly findings: Finding[];
  readonly warnings: string[] = [];
  readonly unusedKeys: UnusedKey[];
  readonly #table: KeyTable;
  readonly #settings = new Map<string, Setting>();
  /** Keys whose value does not fit: they are told once, and count as given. */
  readonly #misfits = new Set<string>();

  constructor(table: KeyTable, { values, findings, unusedKeys }: Gathered) {
    this.#table = table;
    this.findings = [...findings];
    this.unusedKeys = [...unusedKeys];
    this.#read(values, [], matchAll(table));
  }

  find(path: string): SettingValue | undefined {
    return this.#settings.get(path)?.value;
  }

  text(path: string): string | undefined {
    const value = this.find(path);
    return value === undefined ? undefined : show(value);
  }

  number(path: string): number | undefined {
    const value = this.find(path);
    return typeof value === "number" ? value : undefined;
  }

  flag(path: string): boolean | undefined {
    const value = this.find(path);
    return typeof value === "boolean" ? value : undefined;
  }

  texts(path: string): readonly string[] | undefined {
    const value = this.find(path);
    return Array.isArray(value) ? value.map(show) : undefined;
  }

  /** True for a key that was given, with whatever value. */
  has(path: string): boolean {
    return this.#settings.has(path) || this.#misfits.has(path);
  }

  origin(path: string): ValueOrigin | undefined {
    return this.#settings.get(path)?.origin;
  }

  /** Names of a map of the operator's own names, or the indexes of a list, as parts of further paths. */
  names(path: string): readonly string[] {
    const prefix = `${path}.`;
    const names = [...this.#settings.keys(), ...this.#misfits]
      .filter((each) => each.startsWith(prefix))
      .map((each) => firstPart(each.slice(prefix.length)));
    return [...new Set(names)];
  }

  /** A finding about a key that was given. */
  refuse(path: string, problem: string, fix: string): undefined {
    const key = findKey(this.#table, path);
    const setting = this.#settings.get(path);
    const shown = setting === undefined || key?.isSecret !== false ? {} : { value: show(setting.value) };
    const origin = setting === undefined ? {} : { origin: setting.origin };
    this.findings.push({ key: path, ...shown, problem, fix, ...origin });
    return undefined;
  }

  /** A finding about a key that is missing, unless it is there and did not fit. */
  require(path: string, fix: string): undefined {
    if (!this.has(path)) this.findings.push({ key: path, problem: "is missing", fix });
    return undefined;
  }

  /** Findings of a role's own checks. */
  adopt(problems: readonly SettingFinding[]): void {
    for (const { key, problem, fix } of problems) {
      const origin = this.origin(key);
      const remedy = `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`;
      this.findings.push({ key, problem, fix: remedy, ...(origin === undefined ? {} : { origin }) });
    }
  }

  #read(node: ValueNode, path: readonly string[], candidates: readonly KeyMatch[]): void {
    if (node.kind === "null") return;
    const exact = findMatched(candidates);
    if (exact !== undefined) {
      this.#take(exact, node, path);
      return;
    }
    if (node.kind === "map") {
      for (const [name, inner] of node.entries) {
        const next = matchName(candidates, name);
        if (next.length > 0) this.#read(inner, [...path, name], next);
        else this.#refuseUnknown(inner, [...path, name]);
      }
      return;
    }
    const ofItems = matchItem(candidates);
    if (node.kind === "list" && ofItems.length > 0) {
      for (const [i, item] of node.items.entries()) this.#read(item, [...path, String(i)], ofItems);
      return;
    }
    const names = [...new Set(candidates.map(({ rest }) => rest[0] ?? ""))];
    const wanted =
      ofItems.length > 0
        ? "a list"
        : names.includes("*")
          ? "a map of names"
          : `a map with ${names.join(", ")}`;
    const given = path.length === 0 ? "values" : formatKeyPath(path);
    this.findings.push({
      key: given,
      problem: node.kind === "list" ? "is a list" : "is text",
      fix: `Give ${wanted}`,
      origin: node.origin,
    });
  }

  #take(key: Key, node: ValueNode, path: readonly string[]): void {
    const name = formatKeyPath(path);
    const fit = fitValue(node, key.type);
    if (!fit.ok) {
      this.#misfits.add(name);
      const value = key.isSecret || node.kind !== "scalar" ? {} : { value: String(node.value) };
      const fix = `Give ${describeType(key.type)}`;
      this.findings.push({ key: name, ...value, problem: fit.problem, fix, origin: node.origin });
      return;
    }
    this.#settings.set(name, { value: fit.value, origin: node.origin });
    if (key.unused !== undefined) {
      this.unusedKeys.push({ key: name, reason: key.unused, from: formatOrigin(node.origin) });
    }
  }

  #refuseUnknown(node: ValueNode, path: readonly string[]): void {
    const name = formatKeyPath(path);
    const nearest =
      findNearestWord(
        name,
        this.#table.map((key) => key.path),
      ) ?? findByLastPart(path, this.#table);
    const fix =
      nearest === undefined
        ? "Remove it; callsign config explain lists the keys"
        : `Did you mean ${nearest}?`;
    this.findings.push({ key: name, problem: "is not a known key", fix, origin: node.origin });
  }
}

function findByLastPart(path: readonly string[], table: KeyTable): string | undefined {
  const last = path.at(-1)?.toLowerCase();
  return table.find((key) => key.path.split(".").at(-1)?.toLowerCase() === last)?.path;
}

function firstPart(path: string): string {
  return /^("(?:[^"\\]|\\.)*"|[^.]+)/.exec(path)?.[0] ?? path;
}

function show(value: SettingValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
