/** Query strings: `a=1&b=x+y&b=z`. `+` is a space, a name may repeat, values are percent-encoded UTF-8. */
import { z } from "zod";
import { percentDecode } from "./path-template.ts";

export type QueryValues = ReadonlyMap<string, readonly string[]>;

/** Without its `?`. Undefined if a name or a value is not valid percent-encoded UTF-8. */
export function parseQueryString(search: string): QueryValues | undefined {
  const values = new Map<string, string[]>();
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const [decodedName, decodedValue] = [decodeForm(name), decodeForm(value)];
    if (decodedName === undefined || decodedValue === undefined) return undefined;
    const list = values.get(decodedName);
    if (list === undefined) values.set(decodedName, [decodedValue]);
    else list.push(decodedValue);
  }
  return values;
}

/** With its `?`, or nothing. What is undefined or null is left out; an array repeats its name. */
export function formatQueryString(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

export interface Selection {
  /** True if `a=` means the same as no `a` at all. */
  readonly emptyIsAbsent: boolean;
}

/** The input of the schema: all values of a repeated parameter, the first of any other. */
export function selectValues(
  schema: z.ZodObject,
  values: QueryValues,
  { emptyIsAbsent }: Selection,
): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const { name, repeated } of listParameters(schema)) {
    const given = values.get(name);
    const present = emptyIsAbsent ? given?.filter((value) => value !== "") : given;
    if (present?.[0] !== undefined) selected[name] = repeated ? present : present[0];
  }
  return selected;
}

interface Parameter {
  readonly name: string;
  readonly repeated: boolean;
}

/** Looking through a schema takes longer than reading a query with it. */
const parametersOfSchema = new WeakMap<z.ZodObject, readonly Parameter[]>();

function listParameters(schema: z.ZodObject): readonly Parameter[] {
  const known = parametersOfSchema.get(schema);
  if (known !== undefined) return known;
  const parameters = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    repeated: isRepeated(field),
  }));
  parametersOfSchema.set(schema, parameters);
  return parameters;
}

function isRepeated(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return isRepeated(schema.unwrap());
  }
  return schema instanceof z.ZodArray;
}

function decodeForm(text: string): string | undefined {
  return percentDecode(text.replaceAll("+", " "));
}
