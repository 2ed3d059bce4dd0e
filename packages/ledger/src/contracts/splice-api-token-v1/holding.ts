/** Splice.Api.Token.HoldingV1: a holding, as any wallet sees it. */
import { list } from "../../daml/collections.ts";
import type { ValueOf } from "../../daml/daml-type.ts";
import { optional } from "../../daml/optional.ts";
import { record } from "../../daml/record.ts";
import { numeric, party, text, time } from "../../daml/scalars.ts";
import { declareInterface } from "../../engine/declaration.ts";
import { tokenHoldingPackage } from "../packages.ts";
import { RelTime } from "../rel-time.ts";
import { Metadata } from "./metadata.ts";

export const InstrumentId = record("InstrumentId", { admin: party, id: text });
export type InstrumentId = ValueOf<typeof InstrumentId>;

export const Lock = record({
  holders: list(party),
  expiresAt: optional(time),
  expiresAfter: optional(RelTime),
  context: optional(text),
});

export const HoldingView = record({
  owner: party,
  instrumentId: InstrumentId,
  amount: numeric,
  lock: optional(Lock),
  meta: Metadata,
});
export type HoldingView = ValueOf<typeof HoldingView>;

export const Holding = declareInterface({
  package: tokenHoldingPackage,
  module: "Splice.Api.Token.HoldingV1",
  entity: "Holding",
  view: HoldingView,
});
