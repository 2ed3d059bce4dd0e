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

/** What was given, in a word or two, for error messages: never a whole value. */
export function describeJson(json: unknown): string {
  if (json === null) return "null";
  if (json === undefined) return "nothing";
  if (Array.isArray(json)) return "an array";
  if (typeof json === "object") return "an object";
  const text = JSON.stringify(json);
  return `${typeof json} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
