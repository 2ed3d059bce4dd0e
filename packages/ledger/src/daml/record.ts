/** Records: fields in a fixed order, which is the order of the canonical text and of comparisons. */
import type { AnyDamlType, DamlType, ValueOf } from "./daml-type.ts";
import { DecodeError, inside } from "./decode-error.ts";
import { isJsonObject, type JsonValue } from "./json-value.ts";
import { refuse } from "./scalars.ts";

export type Fields = { readonly [name: string]: AnyDamlType };
export type RecordOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

export interface RecordType<F extends Fields> extends DamlType<RecordOf<F>> {
  readonly fields: F;
}

export function record<const F extends Fields>(fields: F): RecordType<F> {
  type Value = RecordOf<F>;
  const names = Object.keys(fields);
  const types = Object.values(fields);
  const known = new Set(names);

  const encode = (value: Value): string => {
    let text = "[";
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      if (i > 0) text += ",";
      text += (types[i] as AnyDamlType).encode(value[name]);
    }
    return `${text}]`;
  };

  /** Builds the value field by field; whatever fails is reported under the field's name. */
  const build = (read: (type: AnyDamlType, index: number, name: string) => unknown): Value => {
    const value: Record<string, unknown> = {};
    let name = "";
    try {
      for (let i = 0; i < names.length; i++) {
        name = names[i] as string;
        value[name] = read(types[i] as AnyDamlType, i, name);
      }
    } catch (error) {
      throw inside(name, error);
    }
    return value as Value;
  };

  const decode = (data: unknown): Value => {
    if (!Array.isArray(data) || data.length > names.length)
      return refuse(`an array of ${names.length} fields`, data);
    return build((type, i) => {
      if (i < data.length) return type.decode(data[i]);
      // A later version of a package may add optional fields at the end.
      if (type.isOptional) return null;
      throw new DecodeError("Missing non-optional field", "missing-field");
    });
  };

  const toJson: DamlType<Value>["toJson"] = (value, dialect) => {
    let shown = names.length;
    if (dialect.omitsTrailingNone) {
      while (
        shown > 0 &&
        (types[shown - 1] as AnyDamlType).isOptional &&
        value[names[shown - 1] as string] === null
      )
        shown--;
    }
    const json: Record<string, JsonValue> = {};
    for (let i = 0; i < shown; i++) {
      const name = names[i] as string;
      json[name] = (types[i] as AnyDamlType).toJson(value[name], dialect);
    }
    return json;
  };

  const fromJson: DamlType<Value>["fromJson"] = (json, dialect) => {
    if (!isJsonObject(json)) return refuse("an object", json);
    const unexpected = Object.keys(json).filter((name) => !known.has(name) && json[name] !== null);
    if (unexpected.length > 0) {
      throw new DecodeError(`Unexpected fields: ${unexpected.slice(0, 10).join(", ")}`, "unexpected-field");
    }
    const missing = names.filter((name) => !Object.hasOwn(json, name) && !fields[name]?.isOptional);
    if (missing.length > 0) {
      throw new DecodeError(`Missing non-optional fields: Set(${missing.join(", ")})`, "missing-field");
    }
    return build((type, _i, name) => (Object.hasOwn(json, name) ? type.fromJson(json[name], dialect) : null));
  };

  const compare = (a: Value, b: Value): number => {
    for (const name of names) {
      const order = fields[name]?.compare(a[name], b[name]) ?? 0;
      if (order !== 0) return order;
    }
    return 0;
  };

  return { label: "record", isOptional: false, fields, encode, decode, toJson, fromJson, compare };
}

/** Daml's pair is a record with the fields _1 and _2. */
export function tuple<A, B>(
  first: DamlType<A>,
  second: DamlType<B>,
): RecordType<{ readonly _1: DamlType<A>; readonly _2: DamlType<B> }> {
  return record({ _1: first, _2: second });
}
