import { z } from "zod";

/**
 * An object whose keys the caller chooses, such as annotations. zod's own record reports every fault of a map,
 * and a request of some megabytes can hold a million: seconds of work and gigabytes of memory before anybody is
 * asked for a token. This one stops at the first fault, as arrays do when they are told to abort early.
 */
export function mapOf<V extends z.ZodType>(value: V): z.ZodRecord<z.ZodString, V> {
  const schema = new FirstFaultRecord({ type: "record", keyType: z.string(), valueType: value });
  return schema as z.ZodRecord<z.ZodString, V>;
}

const FirstFaultRecord = z.core.$constructor<z.ZodRecord<z.ZodString, z.ZodType>>(
  "FirstFaultRecord",
  (inst, def) => {
    z.ZodRecord.init(inst, def);
    const refuseOtherTypes = inst._zod.parse;
    inst._zod.parse = (payload, ctx) => {
      const input: unknown = payload.value;
      if (typeof input !== "object" || input === null || Array.isArray(input)) {
        return refuseOtherTypes(payload, ctx);
      }
      const output: Record<string, unknown> = {};
      payload.value = output;
      for (const key in input) {
        if (key === "__proto__") {
          // Assigning it would change the prototype of what we build.
          payload.issues.push({
            code: "custom",
            input: key,
            path: [key],
            message: "is not allowed as a key",
          });
          return payload;
        }
        const item = def.valueType._zod.run({ value: input[key as never], issues: [] }, ctx);
        if (item instanceof Promise) throw new z.core.$ZodAsyncError();
        if (item.issues.length > 0) {
          payload.issues.push(...z.util.prefixIssues(key, item.issues));
          return payload;
        }
        output[key] = item.value;
      }
      return payload;
    };
  },
);
