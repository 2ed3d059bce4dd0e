/** Walking values along the JSON schemas of an OpenAPI document: made-up values, and values with strange fields. */
import type { JsonValue } from "@callsign/ledger";
import fc from "fast-check";
import type { OpenApiDocument } from "../src/index.ts";

type Schema = { readonly [key: string]: JsonValue };

export class SchemaWalk {
  readonly #components: Schema;

  constructor(document: OpenApiDocument) {
    this.#components = document.components["schemas"] ?? {};
  }

  resolve(schema: JsonValue | undefined): Schema {
    const given = schema as Schema;
    const reference = given["$ref"] as string | undefined;
    if (reference === undefined) return given;
    const name = reference.replace("#/components/schemas/", "");
    const target = this.#components[name];
    if (target === undefined) throw new Error(`there is no schema ${name}`);
    return target as Schema;
  }

  /** Values that the schema describes; keys that are not required may be absent. */
  arbitrary(given: JsonValue | undefined): fc.Arbitrary<JsonValue> {
    const schema = this.resolve(given);
    const choices = schema["anyOf"] as readonly JsonValue[] | undefined;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => this.arbitrary(choice)));
    if (schema["enum"] !== undefined) return fc.constantFrom(...(schema["enum"] as readonly JsonValue[]));
    const types = [schema["type"]].flat();
    if (types.length > 1) {
      return fc.oneof(...types.map((type) => this.arbitrary({ ...schema, type: type as JsonValue })));
    }
    switch (types[0]) {
      case "string":
        return arbitraryText(schema);
      case "integer":
        return fc.integer({
          min: Math.max(Number(schema["minimum"]), -(2 ** 53) + 1),
          max: Math.min(Number(schema["maximum"] ?? 2 ** 31), 2 ** 53 - 1),
        });
      case "number":
        // JSON has no negative zero.
        return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return fc.array(this.arbitrary(schema["items"]), { maxLength: 3 });
      case "object":
        return this.#arbitraryObject(schema);
      default:
        return fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    }
  }

  #arbitraryObject(schema: Schema): fc.Arbitrary<JsonValue> {
    if (schema["additionalProperties"] !== undefined) {
      const key = fc.string({ maxLength: 8 }).filter((text) => text !== "__proto__");
      const values = this.arbitrary(schema["additionalProperties"]);
      return fc.dictionary(key, values, { maxKeys: 3, noNullPrototype: true });
    }
    const properties = Object.entries(schema["properties"] as Schema);
    const shape = Object.fromEntries(properties.map(([name, inner]) => [name, this.arbitrary(inner)]));
    const requiredKeys = (schema["required"] ?? []) as string[];
    return fc.record(shape, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<JsonValue>;
  }

  /** The value with one more field in every object whose fields are fixed: what a newer server might send. */
  extend(value: JsonValue, given: JsonValue | undefined): JsonValue {
    const schema = this.resolve(given);
    const choices = schema["anyOf"] as readonly JsonValue[] | undefined;
    if (choices !== undefined) {
      const choice = choices.find((candidate) => this.#fits(value, candidate));
      return choice === undefined ? value : this.extend(value, choice);
    }
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.extend(item, schema["items"]));
    if (typeof value !== "object" || value === null) return value;
    const properties = schema["properties"] as Schema | undefined;
    const others = schema["additionalProperties"];
    if (properties === undefined && others === undefined) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      this.extend(inner, properties === undefined ? others : properties[key]),
    ]);
    return {
      ...(Object.fromEntries(entries) as Schema),
      ...(properties === undefined ? {} : { "a-later-field": { more: 1 } }),
    };
  }

  #fits(value: JsonValue, candidate: JsonValue): boolean {
    const schema = this.resolve(candidate);
    if (value === null || typeof value !== "object") return false;
    return ((schema["required"] ?? []) as string[]).every((key) => Object.hasOwn(value, key));
  }
}

function arbitraryText(schema: Schema): fc.Arbitrary<string> {
  const pattern = schema["pattern"];
  return typeof pattern === "string"
    ? fc.stringMatching(new RegExp(pattern))
    : fc.string({ unit: "grapheme" });
}

/** The value without the keys that hold null: what a server that leaves them out would send. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
