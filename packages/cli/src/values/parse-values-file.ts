/**
 * A values file: YAML with its lines and columns. Duplicate keys and several documents are refused, and so are aliases
 * that make a small file large.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { ConfigFault } from "./finding.ts";
import { MAX_CONFIG_DEPTH, MAX_CONFIG_NODES, MAX_VALUES_FILE_BYTES } from "./limits.ts";
import type { ValueOrigin } from "./origin.ts";
import { emptyMap, type ValueMap, type ValueNode } from "./value-node.ts";

interface Reading {
  readonly file: string;
  readonly lines: LineCounter;
  readonly document: Document.Parsed;
  nodes: number;
}

/** Throws a `ConfigFault`. */
export function parseValuesFile(file: string, text: string): ValueMap {
  const start: ValueOrigin = { kind: "file", file, line: 1, column: 1 };
  if (text.length > MAX_VALUES_FILE_BYTES) {
    const problem = `is larger than ${MAX_VALUES_FILE_BYTES} bytes`;
    throw new ConfigFault({ key: file, problem, fix: "Give a values file of an ordinary size" });
  }
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, logLevel: "error" } as const;
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ConfigFault({
      key: file,
      problem: `is no YAML that can be read: ${error.message}`,
      fix: "Mend the YAML; each key may stand once, and a file holds one document",
      origin: { kind: "file", file, line, column: col },
    });
  }
  if (document.contents === null) return emptyMap(start);
  const root = readNode(document.contents, { file, lines, document, nodes: 0 }, 0);
  if (root.kind === "map") return root;
  if (root.kind === "null") return emptyMap(start);
  const fix = "Write keys and their values, such as nodeIdentifier: my-node-1";
  throw new ConfigFault({ key: file, problem: "holds no map of keys", fix, origin: root.origin });
}

function readNode(node: unknown, reading: Reading, depth: number): ValueNode {
  const origin = originOf(node, reading);
  if (depth > MAX_CONFIG_DEPTH)
    throw refuse(reading, origin, `is nested deeper than ${MAX_CONFIG_DEPTH} levels`);
  reading.nodes++;
  if (reading.nodes > MAX_CONFIG_NODES) {
    throw refuse(
      reading,
      origin,
      `has more than ${MAX_CONFIG_NODES} values once its aliases are written out`,
    );
  }
  if (isAlias(node)) {
    const target = node.resolve(reading.document);
    if (target === undefined)
      throw refuse(reading, origin, `has the alias *${node.source} without an anchor`);
    return readNode(target, reading, depth + 1);
  }
  if (isMap(node)) return { kind: "map", entries: readEntries(node.items, reading, depth), origin };
  if (isSeq(node)) {
    return { kind: "list", items: node.items.map((item) => readNode(item, reading, depth + 1)), origin };
  }
  const value = isScalar(node) ? node.value : null;
  if (value === null || value === undefined) return { kind: "null", origin };
  if (typeof value === "string" || typeof value === "boolean") return { kind: "scalar", value, origin };
  if (typeof value === "number") {
    // Digits that a number cannot hold stay text.
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    const source = isScalar(node) ? node.source : undefined;
    return { kind: "scalar", value: isExact ? value : (source ?? String(value)), origin };
  }
  throw refuse(reading, origin, "has a value that is neither map, list, text, number nor boolean");
}

type Pairs = readonly { readonly key: unknown; readonly value: unknown }[];

function readEntries(pairs: Pairs, reading: Reading, depth: number): ReadonlyMap<string, ValueNode> {
  const entries = new Map<string, ValueNode>();
  const merged: ValueNode[] = [];
  for (const { key, value } of pairs) {
    const origin = originOf(key, reading);
    if (!isScalar(key) || key.value === null) throw refuse(reading, origin, "has a key that is no text");
    const name = String(key.value);
    // A key without a value stands where the key does.
    const node = value === null ? ({ kind: "null", origin } as const) : readNode(value, reading, depth + 1);
    if (name === "<<") merged.push(...(node.kind === "list" ? node.items : [node]));
    else entries.set(name, node);
  }
  // YAML's merge key: the map's own keys win, then the first of the merged ones.
  for (const node of merged) {
    if (node.kind !== "map") throw refuse(reading, node.origin, "merges something that is no map");
    for (const [name, each] of node.entries) if (!entries.has(name)) entries.set(name, each);
  }
  return entries;
}

function originOf(node: unknown, { file, lines }: Reading): ValueOrigin {
  const { line, col } = lines.linePos((node as Node | null)?.range?.[0] ?? 0);
  return { kind: "file", file, line: Math.max(line, 1), column: Math.max(col, 1) };
}

function refuse({ file }: Reading, origin: ValueOrigin, problem: string): ConfigFault {
  return new ConfigFault({
    key: file,
    problem,
    fix: "Write the value out, as an ordinary values file does",
    origin,
  });
}
