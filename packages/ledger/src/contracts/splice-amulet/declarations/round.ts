/** Splice.Round: a round is open, then summarised, then issues rewards, then is closed. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { numeric, party, time } from "../../../daml/scalars.ts";
import { declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { IssuanceConfig, TransferConfig } from "./amulet-config.ts";
import { Round } from "./round-number.ts";

const place = { package: amuletPackage, module: "Splice.Round" } as const;

const openMiningRoundFields = {
  dso: party,
  round: Round,
  amuletPrice: numeric,
  opensAt: time,
  targetClosesAt: time,
  issuingFor: RelTime,
  transferConfigUsd: TransferConfig,
  issuanceConfig: IssuanceConfig,
  tickDuration: RelTime,
} as const;

export const OpenMiningRound = declareTemplate({
  ...place,
  entity: "OpenMiningRound",
  fields: openMiningRoundFields,
  choices: { OpenMiningRound_Fetch: nonConsuming({ p: party }, record(openMiningRoundFields)) },
});
export type OpenMiningRound = ValueOf<(typeof OpenMiningRound)["record"]>;

export const SummarizingMiningRound = declareTemplate({
  ...place,
  entity: "SummarizingMiningRound",
  fields: {
    dso: party,
    round: Round,
    amuletPrice: numeric,
    issuanceConfig: IssuanceConfig,
    tickDuration: RelTime,
  },
});

export const IssuingMiningRound = declareTemplate({
  ...place,
  entity: "IssuingMiningRound",
  fields: {
    dso: party,
    round: Round,
    issuancePerValidatorRewardCoupon: numeric,
    issuancePerFeaturedAppRewardCoupon: numeric,
    issuancePerUnfeaturedAppRewardCoupon: numeric,
    issuancePerSvRewardCoupon: numeric,
    opensAt: time,
    targetClosesAt: time,
    optIssuancePerValidatorFaucetCoupon: optional(numeric),
  },
});
export type IssuingMiningRound = ValueOf<(typeof IssuingMiningRound)["record"]>;

export const ClosedMiningRound = declareTemplate({
  ...place,
  entity: "ClosedMiningRound",
  fields: {
    dso: party,
    round: Round,
    issuancePerValidatorRewardCoupon: numeric,
    issuancePerFeaturedAppRewardCoupon: numeric,
    issuancePerUnfeaturedAppRewardCoupon: numeric,
    issuancePerSvRewardCoupon: numeric,
    optIssuancePerValidatorFaucetCoupon: optional(numeric),
  },
});
export type ClosedMiningRound = ValueOf<(typeof ClosedMiningRound)["record"]>;
