/**
 * A Daml type as data: it validates and converts values, and gives their TypeScript type.
 *
 * The canonical text is what is hashed, signed and stored: JSON without spaces, records as arrays in field
 * order, numbers as strings of digits (a Decimal in 10⁻¹⁰ units, a Time in microseconds). Equal values have
 * equal texts. `decode` and `fromJson` throw a DecodeError that says the path.
 */
import { show } from "../values/parsed.ts";
import { DecodeError } from "./decode-error.ts";
import type { JsonDialect } from "./json-dialect.ts";
import type { JsonValue } from "./json-value.ts";

export interface DamlType<T> {
  /** The type's name in error messages. */
  readonly label: string;
  /** True if the value's own JSON form may be null, which decides how an optional of it is written. */
  readonly isOptional: boolean;
  /**
   * True if a value has one form of data: `encode` writes what `decode` was given. A map may be given out of order, and a record
   * without optional fields at its end: they are not rigid.
   */
  readonly isRigid: boolean;
  readonly encode: (value: T) => string;
  /** From the parsed canonical text. */
  readonly decode: (data: unknown) => T;
  readonly toJson: (value: T, dialect: JsonDialect) => JsonValue;
  readonly fromJson: (json: unknown, dialect: JsonDialect) => T;
  /** As Daml's `show` prints it, in parentheses where an argument of a constructor needs them. */
  readonly show: (value: T, asArgument?: boolean) => string;
  /** The order Daml gives values of this type, used for the keys of maps. */
  readonly compare: (a: T, b: T) => number;
}

export type ValueOf<Type> = Type extends DamlType<infer T> ? T : never;

/** Any type, where only its conversions matter. Its values cannot be mixed up: they are opaque. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where a type's value is deliberately unknown.
export type AnyDamlType = DamlType<any>;

export function equalValues<T>(type: DamlType<T>, a: T, b: T): boolean {
  return type.encode(a) === type.encode(b);
}

export function decodeText<T>(type: DamlType<T>, text: string): T {
  return type.decode(parseData(text));
}

/** The data that a text is: its JSON, not yet looked at by any type. */
export function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DecodeError(`Expected JSON, got ${show(text)}`, { cause: error });
  }
}
