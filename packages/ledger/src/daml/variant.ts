/** Variants (a constructor with a payload) and enums (constructors only). */
import { compareAscii } from "../values/text.ts";
import type { AnyDamlType, DamlType, ValueOf } from "./daml-type.ts";
import { DecodeError, inside } from "./decode-error.ts";
import { isJsonObject } from "./json-value.ts";
import type { Fields } from "./record.ts";
import { refuse } from "./scalars.ts";

export type VariantOf<C extends Fields> = {
  readonly [K in keyof C & string]: { readonly tag: K; readonly value: ValueOf<C[K]> };
}[keyof C & string];

export function variant<const C extends Fields>(constructors: C): DamlType<VariantOf<C>> {
  type Value = VariantOf<C>;
  const tags = Object.keys(constructors);
  const typeOf = (tag: unknown): AnyDamlType => {
    const type = typeof tag === "string" && Object.hasOwn(constructors, tag) ? constructors[tag] : undefined;
    return type ?? refuse(`one of the constructors ${tags.join(", ")}`, tag);
  };
  const tagged = (tag: unknown, read: (type: AnyDamlType) => unknown): Value => {
    const type = typeOf(tag);
    try {
      return { tag, value: read(type) } as Value;
    } catch (error) {
      throw inside("value", error);
    }
  };
  return {
    label: "variant",
    isOptional: false,
    encode: ({ tag, value }) => `["${tag}",${typeOf(tag).encode(value)}]`,
    decode: (data) => {
      if (!Array.isArray(data) || data.length !== 2) return refuse("an array of tag and value", data);
      return tagged(data[0], (type) => type.decode(data[1]));
    },
    toJson: ({ tag, value }, dialect) => ({ tag, value: typeOf(tag).toJson(value, dialect) }),
    fromJson: (json, dialect) => {
      const complete = isJsonObject(json) && Object.hasOwn(json, "tag") && Object.hasOwn(json, "value");
      if (!complete) return refuse('an object with "tag" and "value"', json);
      const extra = Object.keys(json).filter((key) => key !== "tag" && key !== "value");
      if (extra.length > 0)
        throw new DecodeError(`Unexpected fields: ${extra.slice(0, 10).join(", ")}`, "unexpected-field");
      return tagged(json["tag"], (type) => type.fromJson(json["value"], dialect));
    },
    compare: (a, b) =>
      a.tag === b.tag ? typeOf(a.tag).compare(a.value, b.value) : tags.indexOf(a.tag) - tags.indexOf(b.tag),
  };
}

export function enumeration<const Name extends string>(...constructors: readonly Name[]): DamlType<Name> {
  const read = (json: unknown): Name => {
    const known = constructors.find((name) => name === json);
    return known ?? refuse(`one of ${constructors.join(", ")}`, json);
  };
  return {
    label: "enum",
    isOptional: false,
    encode: (value) => `"${value}"`,
    decode: read,
    toJson: (value) => value,
    fromJson: read,
    compare: (a, b) => constructors.indexOf(a) - constructors.indexOf(b) || compareAscii(a, b),
  };
}
