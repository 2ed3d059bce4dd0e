import { z } from "zod";

type Variants = Readonly<Record<string, z.ZodType>>;
type VariantObject<V extends Variants> = {
  [K in keyof V & string]: z.ZodObject<{ [Key in K]: V[K] }>;
}[keyof V & string];

/** The ledger API's choice between variants: an object whose one key names the variant, `{"Empty": {}}`. */
export function oneOf<const V extends Variants>(variants: V): z.ZodUnion<readonly VariantObject<V>[]> {
  const objects = Object.entries(variants).map(([key, schema]) => z.object({ [key]: schema }));
  return z.union(objects as unknown as readonly VariantObject<V>[]);
}

/** A variant whose fields stand one level deeper: `{"CanActAs": {"value": {"party": …}}}`. */
export function value<T extends z.ZodType>(schema: T): z.ZodObject<{ value: T }> {
  return z.object({ value: schema });
}

export const nothing = z.object({});
