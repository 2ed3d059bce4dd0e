/**
 * JSON schemas of a table's messages, with the named ones gathered as components. What a request may leave out a
 * response always has, so a name that both use stands twice: plain for responses, with `Input` for requests.
 */
import type { JsonValue } from "@callsign/ledger";
import { z } from "zod";

export type JsonSchema = { readonly [key: string]: JsonValue };
type Direction = "request" | "response";

export class SchemaComponents {
  readonly #named: Readonly<Record<Direction, Map<string, JsonSchema>>> = {
    request: new Map(),
    response: new Map(),
  };

  /** The schema, with references that `resolve` turns into names. */
  add(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $defs = {}, ...root } = toJsonSchema(schema, direction);
    for (const [name, definition] of Object.entries($defs)) {
      this.#named[direction].set(name, mark(definition, direction) as JsonSchema);
    }
    return mark(root as JsonSchema, direction) as JsonSchema;
  }

  /** Once all schemas were added: the document, its components included, with references by their names. */
  resolve<T extends JsonValue>(document: T): T {
    return this.#rename(document) as T;
  }

  list(): Readonly<Record<string, JsonSchema>> {
    const all = (["request", "response"] as const).flatMap((direction) =>
      [...this.#named[direction]].map(([name, schema]) => [this.#nameOf(name, direction), schema] as const),
    );
    return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))) as Record<string, JsonSchema>;
  }

  #nameOf(name: string, direction: Direction): string {
    return direction === "request" && this.#named.response.has(name) ? `${name}Input` : name;
  }

  #rename(value: JsonValue): JsonValue {
    return mapReferences(value, (reference) => {
      const [direction = "", name = ""] = reference.split("/");
      return `#/components/schemas/${this.#nameOf(name, direction as Direction)}`;
    });
  }
}

/** A parameter's schema describes what its text means, not the text. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const { $defs: _, ...root } = toJsonSchema(withoutNull(schema), "parameter");
  return root as JsonSchema;
}

/** In a query nothing is null: such a parameter is just not there. */
function withoutNull(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodDefault) || schema.def.defaultValue !== null) return schema;
  const inner = schema.unwrap();
  return (inner instanceof z.ZodNullable ? inner.unwrap() : inner) as z.ZodType;
}

interface Converted {
  readonly $defs?: Readonly<Record<string, JsonValue>>;
  readonly [key: string]: JsonValue | undefined;
}

function toJsonSchema(schema: z.ZodType, use: Direction | "parameter"): Converted {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: use === "request" ? "input" : "output",
    // Bigints: a parameter's own description says what they are on the wire.
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Callers and servers may send more than we know.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
      // A response leaves nothing out, so nothing is filled in.
      if (use === "response") delete jsonSchema.default;
    },
  });
  return JSON.parse(JSON.stringify(converted)) as Converted;
}

function mark(value: JsonValue, direction: Direction): JsonValue {
  return mapReferences(value, (reference) => `${direction}/${reference.replace("#/$defs/", "")}`);
}

function mapReferences(value: JsonValue, change: (reference: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapReferences(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "$ref" && typeof inner === "string" ? change(inner) : mapReferences(inner, change),
  ]);
  return Object.fromEntries(entries) as JsonValue;
}
