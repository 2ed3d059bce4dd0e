/** HOCON as it is written, before fields are merged and substitutions are made. */
import type { KeyPath } from "../values/value-node.ts";

export interface HoconObject {
  readonly kind: "object";
  readonly fields: readonly HoconField[];
  readonly line: number;
}

export interface HoconField {
  readonly path: KeyPath;
  /** `+=`: the value is put at the end of a list. */
  readonly appends: boolean;
  readonly value: HoconValue;
}

export type HoconValue =
  | HoconObject
  | { readonly kind: "array"; readonly items: readonly HoconValue[]; readonly line: number }
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean; readonly line: number }
  /** `${path}`, and `${?path}`, which may have no value. */
  | {
      readonly kind: "reference";
      readonly path: KeyPath;
      readonly isOptional: boolean;
      readonly line: number;
    }
  /** Values that stand beside each other. */
  | { readonly kind: "concatenation"; readonly parts: readonly HoconValue[]; readonly line: number };
