import type { JsonValue } from "@callsign/ledger";
import { z } from "zod";
import { mapOf } from "./map-of.ts";

/**
 * A value can be as deep as its sender likes, and whoever prints it again recurses as deep. Contract payloads
 * nest up to 100 levels, each of which takes at most three of JSON's.
 */
const MAX_JSON_DEPTH = 400;

/** Any JSON value, taken as it is: what it means is for the reader of the field. */
export const jsonValue: z.ZodType<JsonValue, JsonValue> = (
  z.unknown() as unknown as z.ZodType<JsonValue, JsonValue>
).refine((value) => isShallow(value, MAX_JSON_DEPTH), {
  error: `is nested deeper than ${MAX_JSON_DEPTH} levels`,
  abort: true,
});

/** A JSON object, such as a contract's payload. */
export const jsonObject = mapOf(jsonValue);

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
