/** Variants (a constructor with a payload) and enums (constructors only). Both are ordered as declared. */
import type { AnyDamlType, DamlType, ValueOf } from "./daml-type.ts";
import { inside } from "./decode-error.ts";
import { isJsonObject } from "./json-value.ts";
import type { Fields } from "./record.ts";
import { refuse, type Unit, unit } from "./scalars.ts";
import { showApplied } from "./show.ts";

export type VariantOf<C extends Fields> = {
  readonly [K in keyof C & string]: { readonly tag: K; readonly value: ValueOf<C[K]> };
}[keyof C & string];

export function variant<const C extends Fields>(constructors: C): DamlType<VariantOf<C>> {
  type Value = VariantOf<C>;
  const types = new Map<unknown, AnyDamlType>(Object.entries(constructors));
  const tags = Object.keys(constructors);
  const typeOf = (tag: unknown): AnyDamlType =>
    types.get(tag) ?? refuse(`one of the constructors ${tags.join(", ")}`, tag);
  const tagged = (tag: unknown, read: (type: AnyDamlType) => unknown): Value => {
    let part = "tag";
    try {
      const type = typeOf(tag);
      part = "value";
      return { tag, value: read(type) } as Value;
    } catch (error) {
      throw inside(part, error);
    }
  };
  return {
    label: "variant",
    isOptional: false,
    isRigid: Object.values(constructors).every((type) => type.isRigid),
    encode: ({ tag, value }) => `["${tag}",${typeOf(tag).encode(value)}]`,
    decode: (data) => {
      if (!Array.isArray(data) || data.length !== 2) return refuse("an array of tag and value", data);
      return tagged(data[0], (type) => type.decode(data[1]));
    },
    toJson: ({ tag, value }, dialect) => ({ tag, value: typeOf(tag).toJson(value, dialect) }),
    // Other keys than these two carry nothing and are ignored, as Canton does.
    fromJson: (json, dialect) => {
      const complete = isJsonObject(json) && Object.hasOwn(json, "tag") && Object.hasOwn(json, "value");
      if (!complete) return refuse('an object with "tag" and "value"', json);
      return tagged(json["tag"], (type) => type.fromJson(json["value"], dialect));
    },
    // A constructor without an argument is one of unit to us.
    show: ({ tag, value }, asArgument) => {
      const type = typeOf(tag);
      return type === unit ? tag : showApplied(tag, type.show(value, true), asArgument);
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
    isRigid: true,
    encode: (value) => `"${value}"`,
    decode: read,
    toJson: (value) => value,
    fromJson: read,
    show: (value) => value,
    compare: (a, b) => constructors.indexOf(a) - constructors.indexOf(b),
  };
}

/**
 * An enum with one constructor, such as the result of a choice that only archives. Its JSON is the constructor's name;
 * its canonical text is the one of a record without fields, which digests and streams have held from the beginning.
 */
export function unitEnum(name: string): DamlType<Unit> {
  const { decode: read } = enumeration(name);
  return {
    ...unit,
    label: "enum",
    toJson: () => name,
    fromJson: (json) => {
      read(json);
      return {};
    },
    show: () => name,
  };
}
