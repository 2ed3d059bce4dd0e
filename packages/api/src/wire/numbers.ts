/**
 * Integers on the wire. In bodies an int64 is a JSON number, so it is exact only up to 2⁵³: offsets, rounds and
 * node ids never get there, and what does is refused. In a query string it is text, and read whole, as a bigint.
 */
import { z } from "zod";

export const int32 = z.int32().meta({ format: "int32" });
export const int64 = z.int().meta({ format: "int64" });

/** As Java reads an integer: digits with an optional sign. */
const INTEGER = /^[+-]?\d+$/;

/** A query parameter. Its message is the second line of Splice's error text. */
export const int32Parameter = z.codec(z.string(), int32, {
  decode: (text, context) => {
    const value = Number(text);
    if (INTEGER.test(text) && (value | 0) === value) return value | 0;
    context.issues.push(malformed(text, 32));
    return z.NEVER;
  },
  encode: String,
});

export const int64Parameter = z.codec(z.string(), z.bigint().meta({ type: "integer", format: "int64" }), {
  decode: (text, context) => {
    const value = INTEGER.test(text) ? BigInt(text.replace("+", "")) : undefined;
    if (value !== undefined && BigInt.asIntN(64, value) === value) return value;
    context.issues.push(malformed(text, 64));
    return z.NEVER;
  },
  encode: String,
});

function malformed(text: string, bits: 32 | 64) {
  return {
    code: "invalid_format",
    format: `int${bits}`,
    input: text,
    message: `'${text}' is not a valid ${bits}-bit signed integer value`,
  } as const;
}
