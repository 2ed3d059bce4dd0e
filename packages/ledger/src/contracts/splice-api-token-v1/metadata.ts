/** Splice.Api.Token.MetadataV1: what travels with token operations: notes for people, and a registry's own data. */
import { type DamlMap, list, textMap } from "../../daml/collections.ts";
import type { DamlType, ValueOf } from "../../daml/daml-type.ts";
import { record } from "../../daml/record.ts";
import { recursive } from "../../daml/recursive.ts";
import { bool, contractId, date, int64, numeric, party, text, time } from "../../daml/scalars.ts";
import { type VariantOf, variant } from "../../daml/variant.ts";
import { declareInterface } from "../../engine/declaration.ts";
import { tokenMetadataPackage } from "../packages.ts";
import { RelTime } from "../rel-time.ts";

export const Metadata = record("Metadata", { values: textMap(text) });
export type Metadata = ValueOf<typeof Metadata>;

export const EMPTY_METADATA: Metadata = { values: [] };

const plainValues = {
  AV_Text: text,
  AV_Int: int64,
  AV_Decimal: numeric,
  AV_Bool: bool,
  AV_Date: date,
  AV_Time: time,
  AV_RelTime: RelTime,
  AV_Party: party,
  AV_ContractId: contractId,
} as const;

/** Any value that says itself what it is. */
export type AnyValue =
  | VariantOf<typeof plainValues>
  | { readonly tag: "AV_List"; readonly value: readonly AnyValue[] }
  | { readonly tag: "AV_Map"; readonly value: DamlMap<string, AnyValue> };

export const AnyValue: DamlType<AnyValue> = recursive((self) =>
  variant({ ...plainValues, AV_List: list(self), AV_Map: textMap(self) }),
);

/** Values that a registry gives to the caller of a choice, by keys of its own. */
export const ChoiceContext = record({ values: textMap(AnyValue) });
export type ChoiceContext = ValueOf<typeof ChoiceContext>;

export const ExtraArgs = record({ context: ChoiceContext, meta: Metadata });
export type ExtraArgs = ValueOf<typeof ExtraArgs>;

export const ChoiceExecutionMetadata = record({ meta: Metadata });

/** The type of contract ids that may be of any contract; nothing implements it. */
export const AnyContract = declareInterface({
  package: tokenMetadataPackage,
  module: "Splice.Api.Token.MetadataV1",
  entity: "AnyContract",
  view: record({}),
});
