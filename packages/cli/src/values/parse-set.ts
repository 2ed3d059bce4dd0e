/**
 * Helm's `--set`: `a.b=c,d[0]=e,f={g,h}`. A backslash takes the special meaning of the next character. `true`, `false`,
 * `null` and whole numbers are typed; `null` deletes; text of `--set-string` stays text.
 */
import { ConfigFault } from "./finding.ts";
import { MAX_CONFIG_DEPTH, MAX_SET_CHARACTERS, MAX_SET_INDEX } from "./limits.ts";
import type { ValueOrigin } from "./origin.ts";
import { emptyMap, type ValueMap, type ValueNode } from "./value-node.ts";

type Step = string | number;

interface Reader {
  readonly text: string;
  at: number;
}

/** The values, changed as the text says. Throws a `ConfigFault`. */
export function applySet(
  values: ValueMap,
  text: string,
  options: { readonly isText?: boolean } = {},
): ValueMap {
  const origin: ValueOrigin = { kind: "set", text: text.split("=")[0] ?? "" };
  if (text.length > MAX_SET_CHARACTERS)
    throw refuse(origin, `is longer than ${MAX_SET_CHARACTERS} characters`);
  const reader: Reader = { text, at: 0 };
  let changed = values;
  do {
    const path = readPath(reader, origin);
    const node = readValue(reader, origin, options.isText === true);
    const [first] = path;
    if (typeof first !== "string") throw refuse(origin, "begins with an index");
    const put = putStep(changed, path, node, origin);
    if (put?.kind === "map") changed = put;
  } while (reader.at < reader.text.length);
  return changed;
}

function readPath(reader: Reader, origin: ValueOrigin): readonly Step[] {
  const steps: Step[] = [];
  let name = "";
  let isIndexed = false;
  for (;;) {
    const char = reader.text[reader.at++];
    if (char === undefined) throw refuse(origin, "has a key without = and a value");
    if (char === "\\") name += reader.text[reader.at++] ?? "";
    else if (char === "=" || char === "." || char === "[") {
      if (name === "" && !isIndexed) throw refuse(origin, "has an empty part in its key");
      if (name !== "") steps.push(name);
      name = "";
      isIndexed = char === "[";
      if (char === "[") steps.push(readIndex(reader, origin));
      if (char === "=") return steps;
    } else if (char === ",") throw refuse(origin, "has a key without = and a value");
    else if (isIndexed) throw refuse(origin, "has something else than . [ or = behind an index");
    else name += char;
    if (steps.length > MAX_CONFIG_DEPTH)
      throw refuse(origin, `has a key of more than ${MAX_CONFIG_DEPTH} parts`);
  }
}

function readIndex(reader: Reader, origin: ValueOrigin): number {
  const end = reader.text.indexOf("]", reader.at);
  const digits = end < 0 ? "" : reader.text.slice(reader.at, end);
  if (!/^\d{1,5}$/.test(digits) || Number(digits) > MAX_SET_INDEX) {
    throw refuse(origin, `has an index that is no whole number from 0 to ${MAX_SET_INDEX}`);
  }
  reader.at = end + 1;
  return Number(digits);
}

function readValue(reader: Reader, origin: ValueOrigin, isText: boolean): ValueNode {
  if (reader.text[reader.at] !== "{") return typed(readUntil(reader, ","), origin, isText);
  reader.at++;
  if (reader.text[reader.at] === "}") {
    reader.at++;
    endValue(reader, origin);
    return { kind: "list", items: [], origin };
  }
  const items: ValueNode[] = [];
  for (;;) {
    items.push(typed(readUntil(reader, ",}"), origin, isText));
    const end = reader.text[reader.at - 1];
    if (end === "}") break;
    if (end !== ",") throw refuse(origin, "has a list { without its }");
  }
  endValue(reader, origin);
  return { kind: "list", items, origin };
}

function endValue(reader: Reader, origin: ValueOrigin): void {
  if (reader.at >= reader.text.length) return;
  if (reader.text[reader.at++] !== ",") throw refuse(origin, "has something else than a comma behind a list");
}

/** Takes the end character too. */
function readUntil(reader: Reader, ends: string): string {
  let value = "";
  for (;;) {
    const char = reader.text[reader.at++];
    if (char === undefined) return value;
    if (char === "\\") value += reader.text[reader.at++] ?? "";
    else if (ends.includes(char)) return value;
    else value += char;
  }
}

function typed(value: string, origin: ValueOrigin, isText: boolean): ValueNode {
  if (isText) return { kind: "scalar", value, origin };
  if (value === "null") return { kind: "null", origin };
  if (value === "true" || value === "false") return { kind: "scalar", value: value === "true", origin };
  // A number with a leading zero is text, as for helm.
  const isWhole = /^-?(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value));
  return { kind: "scalar", value: isWhole ? Number(value) : value, origin };
}

/** Undefined if the node is deleted. */
function putStep(
  into: ValueNode | undefined,
  [step, ...rest]: readonly Step[],
  node: ValueNode,
  origin: ValueOrigin,
): ValueNode | undefined {
  if (step === undefined) return node.kind === "null" ? undefined : node;
  if (typeof step === "number") {
    const items = into?.kind === "list" ? [...into.items] : [];
    if (step > items.length) {
      throw refuse(
        origin,
        `sets item ${step} of a list that has ${items.length}: set the ones before it first`,
      );
    }
    const put = putStep(items[step], rest, node, origin);
    if (put === undefined) items.splice(step, 1);
    else items[step] = put;
    return { kind: "list", items, origin };
  }
  const map = into?.kind === "map" ? into : emptyMap(origin);
  const put = putStep(map.entries.get(step), rest, node, origin);
  const entries = new Map(map.entries);
  if (put === undefined) entries.delete(step);
  else entries.set(step, put);
  return { ...map, entries };
}

/** The text may hold a secret: only its first key is named. */
function refuse(origin: ValueOrigin, problem: string): ConfigFault {
  const key = origin.kind === "set" ? `--set ${origin.text}` : "--set";
  const fix =
    "Write key=value, such as --set persistence.port=5432 or --set 'validatorWalletUsers={alice,bob}'";
  return new ConfigFault({ key, problem, fix });
}
