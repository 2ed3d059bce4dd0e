/** Splice.ExternalPartyConfigState: a long-lived copy of price and fees; coin expiry lags behind it. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { numeric, party, time } from "../../../daml/scalars.ts";
import { declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { TransferConfigV2 } from "./amulet-config.ts";
import { Round } from "./round-number.ts";

export const ExternalPartyConfigState = declareTemplate({
  package: amuletPackage,
  module: "Splice.ExternalPartyConfigState",
  entity: "ExternalPartyConfigState",
  fields: {
    dso: party,
    holdingFeesOpenRoundNumber: Round,
    amuletPrice: numeric,
    transferConfig: TransferConfigV2,
    targetArchiveAfter: time,
  },
});
export type ExternalPartyConfigState = ValueOf<(typeof ExternalPartyConfigState)["record"]>;
