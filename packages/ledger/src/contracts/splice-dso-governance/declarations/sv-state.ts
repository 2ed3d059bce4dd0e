/** Splice.DSO.SvState and Splice.DSO.AmuletPrice: what the ledger keeps for each SV. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { declareTemplate } from "../../../engine/declaration.ts";
import { dsoGovernancePackage } from "../../packages.ts";
import { Round } from "../../splice-amulet/declarations/round-number.ts";
import { SynchronizerNodeConfigMap } from "./synchronizer-config.ts";

const place = { package: dsoGovernancePackage, module: "Splice.DSO.SvState" } as const;

const RewardState = record("RewardState", {
  numRoundsMissed: int64,
  numRoundsCollected: int64,
  lastRoundCollected: Round,
  numCouponsIssued: int64,
});
export type RewardState = ValueOf<typeof RewardState>;

export const SvRewardState = declareTemplate({
  ...place,
  entity: "SvRewardState",
  fields: { dso: party, svName: text, state: RewardState },
});

export const SvNodeState = declareTemplate({
  ...place,
  entity: "SvNodeState",
  fields: {
    dso: party,
    sv: party,
    svName: text,
    state: record("NodeState", { synchronizerNodes: SynchronizerNodeConfigMap }),
  },
});

export const SvStatus = record("SvStatus", {
  createdAt: time,
  cometBftHeight: int64,
  mediatorSynchronizerTime: time,
  participantSynchronizerTime: time,
  latestOpenRound: Round,
});

export const SvStatusReport = declareTemplate({
  ...place,
  entity: "SvStatusReport",
  fields: { dso: party, sv: party, svName: text, number: int64, status: optional(SvStatus) },
});

export const AmuletPriceVote = declareTemplate({
  package: dsoGovernancePackage,
  module: "Splice.DSO.AmuletPrice",
  entity: "AmuletPriceVote",
  fields: { dso: party, sv: party, amuletPrice: optional(numeric), lastUpdatedAt: time },
});
