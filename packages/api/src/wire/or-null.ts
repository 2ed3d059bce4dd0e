import type { z } from "zod";

/**
 * A field that may have no value. Servers write `null`, and the key is always there; readers take a missing key
 * for `null` too, in requests (clients leave out what they do not set) as in responses (of other servers).
 */
export function orNull<T extends z.ZodType>(schema: T): z.ZodDefault<z.ZodNullable<T>> {
  return schema.nullable().default(null) as unknown as z.ZodDefault<z.ZodNullable<T>>;
}
