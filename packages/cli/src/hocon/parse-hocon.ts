/**
 * Parses HOCON: objects with `=`, `:` or a brace, dotted and quoted paths, lists, strings with and without quotes,
 * comments, substitutions, `+=` and values beside each other. `include` is refused: configuration is what was given.
 */
import { MAX_CONFIG_DEPTH } from "../values/limits.ts";
import type { KeyPath } from "../values/value-node.ts";
import { HoconReader } from "./hocon-reader.ts";
import type { HoconField, HoconObject, HoconValue } from "./hocon-syntax.ts";

const AHEAD = 40;

/** Throws a `ConfigFault` that names the variable. */
export function parseHocon(variable: string, text: string): HoconObject {
  const reader = new HoconReader(variable, text);
  reader.skipSpace();
  if (reader.peek() !== "{") return readFields(reader, "", 0);
  const object = readObject(reader, 0);
  reader.skipSpace();
  if (!reader.isAtEnd) throw reader.fault("has something behind its closing brace");
  return object;
}

function readObject(reader: HoconReader, depth: number): HoconObject {
  reader.skip(1);
  return readFields(reader, "}", depth);
}

/** Up to the end character, which is taken too. */
function readFields(reader: HoconReader, end: string, depth: number): HoconObject {
  if (depth > MAX_CONFIG_DEPTH) throw reader.fault(`is nested deeper than ${MAX_CONFIG_DEPTH} levels`);
  const line = reader.line;
  const fields: HoconField[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.isAtEnd) {
      if (end === "") return { kind: "object", fields, line };
      throw reader.fault(`has a { in line ${line} without its }`);
    }
    if (end !== "" && reader.take(end)) return { kind: "object", fields, line };
    fields.push(readField(reader, depth));
    endItem(reader, end);
  }
}

/** Items are separated by a comma or a new line. */
function endItem(reader: HoconReader, end: string): void {
  reader.skipBlanks();
  reader.skipComment();
  const isNewLine = reader.peek() === "\n";
  reader.skipSpace();
  if (reader.take(",") || isNewLine || reader.isAtEnd || (end !== "" && reader.startsWith(end))) return;
  throw reader.fault(`has ${JSON.stringify(reader.peek())} where a comma, a new line or the end is needed`);
}

function readField(reader: HoconReader, depth: number): HoconField {
  reader.count();
  // A key may begin with the word all the same: include-all, include = 1.
  if (/^include(\s*["(]|\s+[a-z])/.test(reader.ahead(AHEAD))) {
    throw reader.fault("has an include, which is not supported: write the configuration out");
  }
  const path = readPath(reader, "a key");
  reader.skipSpace();
  if (reader.peek() === "{") return { path, appends: false, value: readValue(reader, depth + 1) };
  const appends = reader.take("+=");
  if (!appends && !reader.take("=") && !reader.take(":")) {
    throw reader.fault("has a key without = and a value");
  }
  reader.skipSpace();
  return { path, appends, value: readValue(reader, depth + 1) };
}

/** `a."b.c".d`; blanks at its ends are left out. */
function readPath(reader: HoconReader, kind: string): KeyPath {
  const path: string[] = [];
  for (;;) {
    let name = "";
    let isQuoted = false;
    for (;;) {
      if (reader.peek() === '"') {
        name += reader.readQuoted();
        isQuoted = true;
      } else if (reader.isAtUnquoted() && reader.peek() !== ".") name += reader.readUnquoted(".");
      else {
        const blanks = reader.skipBlanks();
        const goesOn =
          blanks !== "" && (reader.peek() === '"' || (reader.isAtUnquoted() && reader.peek() !== "."));
        if (!goesOn) break;
        name += blanks;
      }
    }
    if (name === "" && !isQuoted) throw reader.fault(`has ${kind} with an empty part`);
    path.push(name);
    if (path.length > MAX_CONFIG_DEPTH)
      throw reader.fault(`has ${kind} of more than ${MAX_CONFIG_DEPTH} parts`);
    if (!reader.take(".")) return path;
  }
}

function readValue(reader: HoconReader, depth: number): HoconValue {
  const parts: HoconValue[] = [];
  const line = reader.line;
  let blanks = "";
  for (;;) {
    const part = readPart(reader, depth);
    if (part === undefined) break;
    reader.count();
    // Blanks between texts belong to the text.
    if (parts.length > 0 && blanks !== "") parts.push({ kind: "text", text: blanks, isQuoted: true, line });
    parts.push(part);
    blanks = reader.skipBlanks();
  }
  const [only, ...more] = parts;
  if (only === undefined) throw reader.fault("has a key or an item without a value");
  return more.length === 0 ? only : { kind: "concatenation", parts, line };
}

/** Undefined where the value ends. */
function readPart(reader: HoconReader, depth: number): HoconValue | undefined {
  const line = reader.line;
  if (reader.isAtEnd || reader.startsWith("//")) return undefined;
  if (reader.peek() === "{") return readObject(reader, depth);
  if (reader.peek() === "[") return readArray(reader, depth);
  if (reader.peek() === '"') return { kind: "text", text: reader.readQuoted(), isQuoted: true, line };
  if (reader.take("${")) {
    const isOptional = reader.take("?");
    reader.skipBlanks();
    const path = readPath(reader, "a substitution");
    if (!reader.take("}")) throw reader.fault("has a substitution without its closing brace");
    return { kind: "reference", path, isOptional, line };
  }
  if (!reader.isAtUnquoted()) {
    if (/^[\n,}\]#]$/.test(reader.peek())) return undefined;
    throw reader.fault(`has ${JSON.stringify(reader.peek())} in a value without quotes`);
  }
  return { kind: "text", text: reader.readUnquoted(), isQuoted: false, line };
}

function readArray(reader: HoconReader, depth: number): HoconValue {
  if (depth > MAX_CONFIG_DEPTH) throw reader.fault(`is nested deeper than ${MAX_CONFIG_DEPTH} levels`);
  const line = reader.line;
  reader.skip(1);
  const items: HoconValue[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.take("]")) return { kind: "array", items, line };
    if (reader.isAtEnd) throw reader.fault(`has a [ in line ${line} without its ]`);
    items.push(readValue(reader, depth + 1));
    endItem(reader, "]");
  }
}
