/** Splice.DsoRules: votes of the SVs on actions that people, not automations, ask for. */
import { damlMap, list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, party, text, time, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { dsoGovernancePackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { ActionRequiringConfirmation } from "./confirmed-action.ts";

const Reason = record("Reason", { url: text, body: text });
export type Reason = ValueOf<typeof Reason>;

const Vote = record("Vote", { sv: party, accept: bool, reason: Reason, optCastAt: optional(time) });
export type Vote = ValueOf<typeof Vote>;

export const VoteRequest = declareTemplate({
  package: dsoGovernancePackage,
  module: "Splice.DsoRules",
  entity: "VoteRequest",
  fields: {
    dso: party,
    requester: text,
    action: ActionRequiringConfirmation,
    reason: Reason,
    voteBefore: time,
    /** By the SV's name. */
    votes: damlMap(text, Vote),
    /** The request as it was first made: each vote replaces the contract. */
    trackingCid: optional(contractId),
    targetEffectiveAt: optional(time),
  },
});
export type VoteRequest = ValueOf<(typeof VoteRequest)["record"]>;

const VoteRequestOutcome = variant({
  VRO_AcceptedButActionFailed: record({ description: text }),
  VRO_Accepted: record({ effectiveAt: time }),
  VRO_Rejected: unit,
  VRO_Expired: unit,
  ExtVoteRequestOutcome: record({ dummyUnitField: unit }),
});
export type VoteRequestOutcome = ValueOf<typeof VoteRequestOutcome>;

const Requested = record({ voteRequest: contractId });

export const voteChoices = {
  DsoRules_RequestVote: nonConsuming(
    {
      requester: party,
      action: ActionRequiringConfirmation,
      reason: Reason,
      voteRequestTimeout: optional(RelTime),
      targetEffectiveAt: optional(time),
    },
    Requested,
  ),
  DsoRules_CastVote: nonConsuming({ requestCid: contractId, vote: Vote }, Requested),
  DsoRules_CloseVoteRequest: nonConsuming(
    { requestCid: contractId, amuletRulesCid: optional(contractId), sv: optional(party) },
    record({
      request: VoteRequest.record,
      completedAt: time,
      offboardedVoters: list(text),
      abstainingSvs: list(text),
      outcome: VoteRequestOutcome,
    }),
  ),
} as const;
