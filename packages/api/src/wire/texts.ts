import { z } from "zod";

/** A decimal as Splice's API fields carry it: always ten digits after the point. */
export const fixedDecimal = z.string().regex(/^-?\d{1,28}\.\d{10}$/, {
  error: "expected a decimal with ten digits after the point",
  abort: true,
});

/**
 * A decimal in a request: checked by the operation, which answers in the shape of its own errors.
 * 1 to 28 digits, and optionally a point with 1 to 10 more.
 */
export const givenDecimal = z.string().meta({ pattern: "^-?\\d{1,28}(\\.\\d{1,10})?$" });

/** A time in UTC. How many digits its fraction has differs by field; readers take any. */
export const dateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/, {
    error: "expected a time such as 2026-01-31T12:00:00.5Z",
    abort: true,
  })
  .meta({ format: "date-time" });

/** Whole digits in a text: how `entry/all` writes times and durations. */
export const digits = z.string().regex(/^\d+$/, { error: "expected digits", abort: true });

export const base64 = z.string().meta({ contentEncoding: "base64" });

/** Bytes in lower-case hex, of so many digits. */
export function hex(digits: number, what: string): z.ZodString {
  return z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`), `expected ${what} in lower-case hex`);
}
