/** Canonical data of a type that is not known yet: it passes through and is decoded later. */
import { compareText } from "../values/text.ts";
import type { DamlType } from "./daml-type.ts";
import type { JsonValue } from "./json-value.ts";

export const canonicalData: DamlType<unknown> = {
  label: "canonical data",
  isOptional: false,
  isRigid: true,
  encode: (data) => JSON.stringify(data),
  decode: (data) => data,
  toJson: (data) => data as JsonValue,
  fromJson: (json) => json,
  show: (data) => JSON.stringify(data),
  compare: (a, b) => compareText(JSON.stringify(a), JSON.stringify(b)),
};
