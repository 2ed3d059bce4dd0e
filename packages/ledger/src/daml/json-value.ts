import { show } from "../values/parsed.ts";

/** JSON as the wire carries it. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** A given value in a word or two, for error messages: never the whole of it. */
export function describeJson(json: unknown): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "an array";
  switch (typeof json) {
    case "string":
      return `string ${show(json)}`;
    case "number":
    case "boolean":
      return `${typeof json} ${json}`;
    case "object":
      return "an object";
    case "undefined":
      return "nothing";
    default:
      return `a ${typeof json}`;
  }
}
