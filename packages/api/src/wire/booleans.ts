import { z } from "zod";

/** A query parameter: `true` or `false`, in any case. */
export const booleanParameter = z.codec(z.string(), z.boolean(), {
  decode: (text, context) => {
    const lower = text.toLowerCase();
    if (lower === "true" || lower === "false") return lower === "true";
    context.issues.push({
      code: "invalid_format",
      format: "boolean",
      input: text,
      message: `'${text}' is neither true nor false`,
    });
    return z.NEVER;
  },
  encode: String,
});
