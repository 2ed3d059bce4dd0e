import { z } from "zod";

type Variants = Readonly<Record<string, z.ZodType>>;
type VariantObject<V extends Variants> = {
  [K in keyof V & string]: z.ZodObject<{ [Key in K]: V[K] }>;
}[keyof V & string];

/** The ledger API's choice between variants: an object whose one key names the variant, `{"Empty": {}}`. */
export function oneOf<const V extends Variants>(variants: V): z.ZodUnion<readonly VariantObject<V>[]> {
  const options = Object.entries(variants).map(([key, schema]) => z.object({ [key]: schema }));
  const union = new NamedVariants({ type: "union", options });
  return union as unknown as z.ZodUnion<readonly VariantObject<V>[]>;
}

/** A variant whose fields stand one level deeper: `{"CanActAs": {"value": {"party": …}}}`. */
export function value<T extends z.ZodType>(schema: T): z.ZodObject<{ value: T }> {
  return z.object({ value: schema });
}

export const nothing = z.object({});

/**
 * zod's own union tries one variant after the other, and those that the value is none of list their faults. This one tries
 * variants that the value names. Where none fits, zod's own tells the fault.
 */
const NamedVariants = z.core.$constructor<z.ZodUnion<readonly z.ZodObject[]>>(
  "NamedVariants",
  (inst, def) => {
    z.ZodUnion.init(inst, def);
    const tryAll = inst._zod.parse;
    const variants = def.options.map((variant) => [Object.keys(variant.shape)[0] ?? "", variant] as const);
    inst._zod.parse = (payload, ctx) => {
      const input: unknown = payload.value;
      if (typeof input !== "object" || input === null) return tryAll(payload, ctx);
      for (const [key, variant] of variants) {
        if (!(key in input)) continue;
        const found = variant._zod.run({ value: input, issues: [] }, ctx);
        if (found instanceof Promise) throw new z.core.$ZodAsyncError();
        if (found.issues.length === 0) return found;
      }
      return tryAll(payload, ctx);
    };
  },
);
