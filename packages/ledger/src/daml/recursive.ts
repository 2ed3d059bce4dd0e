/**
 * A type whose values hold values of the same type. What comes from outside may nest them at most so deep: Daml
 * draws the same line, and a stack that ran out in the middle of a replica's work could not be answered for.
 */
import type { DamlType } from "./daml-type.ts";
import { DecodeError } from "./decode-error.ts";

export const MAX_NESTING = 100;

export function recursive<T>(build: (self: DamlType<T>) => DamlType<T>): DamlType<T> {
  let depth = 0;
  const deeper = <Given>(read: (given: Given) => T, given: Given): T => {
    if (depth === MAX_NESTING) throw new DecodeError(`Values are nested deeper than ${MAX_NESTING}`);
    depth++;
    try {
      return read(given);
    } finally {
      depth--;
    }
  };
  const self: DamlType<T> = {
    label: "recursive",
    isOptional: false,
    isRigid: false,
    encode: (value) => type.encode(value),
    decode: (data) => deeper(type.decode, data),
    toJson: (value, dialect) => type.toJson(value, dialect),
    fromJson: (json, dialect) => deeper((given: unknown) => type.fromJson(given, dialect), json),
    show: (value, asArgument) => type.show(value, asArgument),
    compare: (a, b) => type.compare(a, b),
  };
  const type = build(self);
  return self;
}
