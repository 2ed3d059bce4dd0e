/**
 * The roles' SQL and its values, as PostgreSQL takes them. Columns of text are ordered by their bytes, as in SQLite.
 * PostgreSQL's text cannot hold U+0000: it is stored as U+0001 U+0001, and U+0001 as U+0001 U+0002, which keeps the order.
 */
import type { SqlValue } from "./store.ts";

const DEFINITION = /^\s*(?:create|alter)\s+table\b/i;

/** The type of a column, not its name. */
const BYTES = /(\w\s+)blob\b(?=\s*(?:[,)]|not\b|primary\b|unique\b|$))/g;

/** The statement itself, but for definitions of tables. */
export function toPostgres(statement: string): string {
  if (!DEFINITION.test(statement)) return statement;
  return statement.replace(/\btext\b/g, 'text collate "C"').replace(BYTES, "$1bytea");
}

/** True for a statement that changes tables: it is never prepared by name. */
export function isDefinition(statement: string): boolean {
  return /^\s*(?:create|alter|drop)\b/i.test(statement);
}

const ZERO = "\u0000";
const ONE = "\u0001";
const TWO = "\u0002";

export function encodeParameter(value: SqlValue): unknown {
  if (typeof value !== "string") return value;
  return value.includes(ONE) || value.includes(ZERO)
    ? value.replaceAll(ONE, ONE + TWO).replaceAll(ZERO, ONE + ONE)
    : value;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Bytes of the longest name: PostgreSQL cuts longer ones without an error. */
export const MAX_NAME_BYTES = 63;

type Parse = (text: string) => SqlValue;

/** Numbers of PostgreSQL's types. */
const PARSERS: Readonly<Record<number, Parse>> = {
  16: (text) => (text === "t" ? 1n : 0n),
  17: (text) => new Uint8Array(Buffer.from(text.slice(2), "hex")),
  20: BigInt,
  21: BigInt,
  23: BigInt,
  26: BigInt,
  700: Number,
  701: Number,
  /** The sum of integers. */
  1700: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text)),
};

/** The parsers of results, in the form that pg takes. */
export const resultTypes = {
  getTypeParser: (type: number): Parse => PARSERS[type] ?? decodeText,
};

function decodeText(text: string): string {
  if (!text.includes(ONE)) return text;
  let decoded = "";
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== ONE) decoded += text[i];
    else decoded += text[++i] === ONE ? ZERO : ONE;
  }
  return decoded;
}
