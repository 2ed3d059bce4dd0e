/** Records: fields in a fixed order, which is the order of the canonical text and of comparisons. */
import { show } from "../values/parsed.ts";
import type { AnyDamlType, DamlType, ValueOf } from "./daml-type.ts";
import { DecodeError, inside } from "./decode-error.ts";
import type { JsonDialect } from "./json-dialect.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { refuse } from "./scalars.ts";
import { showRecord } from "./show.ts";

export type Fields = { readonly [name: string]: AnyDamlType };
export type RecordOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

export interface RecordType<F extends Fields> extends DamlType<RecordOf<F>> {
  readonly name: string;
  readonly fields: F;
}

interface Field {
  readonly name: string;
  readonly type: AnyDamlType;
}

/** A record whose fields' types are not looked at: the functions below serve all records. */
type AnyRecord = { readonly [name: string]: unknown };

/** The name is the one of the Daml type. Without one it is the record of a variant's constructor, or never shown. */
export function record<const F extends Fields>(fields: F): RecordType<F>;
export function record<const F extends Fields>(name: string, fields: F): RecordType<F>;
export function record<const F extends Fields>(...given: readonly [F] | readonly [string, F]): RecordType<F> {
  type Value = RecordOf<F>;
  const [name, fields] = given.length === 1 ? ["", given[0]] : given;
  const list: readonly Field[] = Object.entries(fields).map(([name, type]) => ({ name, type }));
  if (Object.hasOwn(fields, "__proto__")) throw new Error("a field cannot be called __proto__ in JavaScript");
  return {
    label: "record",
    isOptional: false,
    isRigid: list.at(-1)?.type.isOptional !== true && list.every(({ type }) => type.isRigid),
    name,
    fields,
    encode: (value) => encodeFields(list, value),
    decode: (data) => decodeFields(list, data) as Value,
    toJson: (value, dialect) => fieldsToJson(list, value, dialect),
    fromJson: (json, dialect) => fieldsFromJson(list, json, dialect) as Value,
    show: (value, asArgument) => {
      const shown = showRecord(
        name,
        list.map((field) => [field.name, field.type.show(value[field.name])]),
      );
      return asArgument && name !== "" ? `(${shown})` : shown.trimStart();
    },
    compare: (a, b) => compareFields(list, a, b),
  };
}

/**
 * A record that got more fields after texts of it had been signed. They are optional, and left out at the end of the text as
 * long as they are null: earlier texts stay canonical.
 */
export function extendedRecord<const F extends Fields, const L extends Fields>(
  fields: F,
  later: L,
): RecordType<F & L> {
  const all = { ...fields, ...later };
  const list: readonly Field[] = Object.entries(all).map(([name, type]) => ({ name, type }));
  const fewest = Object.keys(fields).length;
  return {
    ...record(all),
    encode: (value) => {
      let count = list.length;
      while (count > fewest && value[(list[count - 1] as Field).name] === null) count--;
      return encodeFields(list.slice(0, count), value);
    },
  };
}

/** Daml's pair is a record with the fields _1 and _2. */
export function tuple<A, B>(
  first: DamlType<A>,
  second: DamlType<B>,
): RecordType<{ readonly _1: DamlType<A>; readonly _2: DamlType<B> }> {
  return {
    ...record({ _1: first, _2: second }),
    show: ({ _1, _2 }) => `(${first.show(_1)},${second.show(_2)})`,
  };
}

function encodeFields(fields: readonly Field[], value: AnyRecord): string {
  let text = "[";
  for (let i = 0; i < fields.length; i++) {
    const { name, type } = fields[i] as Field;
    if (i > 0) text += ",";
    text += type.encode(value[name]);
  }
  return `${text}]`;
}

function decodeFields(fields: readonly Field[], data: unknown): AnyRecord {
  if (!Array.isArray(data) || data.length > fields.length) {
    return refuse(`an array of ${fields.length} fields`, data);
  }
  const value: Record<string, unknown> = {};
  let i = 0;
  try {
    for (; i < fields.length; i++) {
      const { name, type } = fields[i] as Field;
      value[name] = i < data.length ? type.decode(data[i]) : absent(type);
    }
  } catch (error) {
    throw inside((fields[i] as Field).name, error);
  }
  return value;
}

/** A later version of a package may add optional fields at the end: older texts lack them. */
function absent(type: AnyDamlType): null {
  if (type.isOptional) return null;
  throw new DecodeError("Missing non-optional field", { problem: "missing-field" });
}

function fieldsToJson(fields: readonly Field[], value: AnyRecord, dialect: JsonDialect): JsonObject {
  const json: Record<string, JsonValue> = {};
  const shown = dialect.omitsTrailingNone ? countShown(fields, value, dialect) : fields.length;
  for (let i = 0; i < shown; i++) {
    const { name, type } = fields[i] as Field;
    json[name] = type.toJson(value[name], dialect);
  }
  return json;
}

/** The number of fields without the optional ones at the end that read null. */
function countShown(fields: readonly Field[], value: AnyRecord, dialect: JsonDialect): number {
  let shown = fields.length;
  while (shown > 0 && isLeftOut(fields[shown - 1] as Field, value, dialect)) shown--;
  return shown;
}

/** The None of nested optionals may read `[]`, which is shown. */
function isLeftOut({ name, type }: Field, value: AnyRecord, dialect: JsonDialect): boolean {
  return type.isOptional && value[name] === null && type.toJson(null, dialect) === null;
}

function fieldsFromJson(fields: readonly Field[], json: unknown, dialect: JsonDialect): AnyRecord {
  if (!isJsonObject(json)) return refuse("an object", json);
  checkNames(fields, json);
  const value: Record<string, unknown> = {};
  let current = "";
  try {
    for (const { name, type } of fields) {
      current = name;
      value[name] = Object.hasOwn(json, name) ? type.fromJson(json[name], dialect) : null;
    }
  } catch (error) {
    throw inside(current, error);
  }
  return value;
}

/** Absent fields must be optional; a name that is no field's is an error unless it carries null. */
function checkNames(fields: readonly Field[], json: JsonObject): void {
  let present = 0;
  const missing: string[] = [];
  for (const { name, type } of fields) {
    if (Object.hasOwn(json, name)) present++;
    else if (!type.isOptional) missing.push(name);
  }
  if (missing.length > 0) {
    throw new DecodeError(`Missing non-optional fields: Set(${missing.join(", ")})`, {
      problem: "missing-field",
    });
  }
  const names = Object.keys(json);
  if (names.length === present) return;
  const known = new Set(fields.map(({ name }) => name));
  const unexpected = names.filter((name) => !known.has(name) && json[name] !== null);
  if (unexpected.length > 0) {
    const shown = unexpected.slice(0, 10).map(show).join(", ");
    throw new DecodeError(`Unexpected fields: ${shown}`, { problem: "unexpected-field" });
  }
}

function compareFields(fields: readonly Field[], a: AnyRecord, b: AnyRecord): number {
  for (const { name, type } of fields) {
    const order = type.compare(a[name], b[name]);
    if (order !== 0) return order;
  }
  return 0;
}
