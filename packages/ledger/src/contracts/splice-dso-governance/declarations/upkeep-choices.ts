/** The choices of DsoRules by which any SV keeps rounds, markers, validators and purchases in order. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, party, text } from "../../../daml/scalars.ts";
import { nonConsuming } from "../../../engine/declaration.ts";
import { AmuletRules } from "../../splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyAmuletRules } from "../../splice-amulet/declarations/external-party-amulet-rules.ts";

const sv = optional(party);
const amuletRulesCid = contractId;
const {
  AmuletRules_ConvertFeaturedAppActivityMarkers: conversion,
  AmuletRules_Amulet_ExpireTransferInstructions: expiryOfInstructions,
} = AmuletRules.choices;
const { ExternalPartyAmuletRules_ExpireAmuletAllocations: expiryOfAllocations } =
  ExternalPartyAmuletRules.choices;

export const upkeepChoices = {
  DsoRules_MiningRound_Close: nonConsuming(
    { amuletRulesCid, issuingRoundCid: contractId, sv },
    record({ closedRound: contractId }),
  ),
  DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers: nonConsuming(
    { amuletRulesCid, argument: conversion.argument, sv },
    record({ result: conversion.result }),
  ),
  DsoRules_OnboardValidator: nonConsuming(
    { sponsor: party, validator: party, version: optional(text), contactPoint: optional(text) },
    record({ validatorLicense: contractId }),
  ),
  DsoRules_MergeValidatorLicense: nonConsuming(
    { validatorLicenseCids: list(contractId), sv },
    record({ validatorLicense: contractId }),
  ),
  DsoRules_MergeMemberTrafficContracts: nonConsuming(
    { amuletRulesCid, trafficCids: list(contractId), sv },
    record({ memberTraffic: contractId }),
  ),
  DsoRules_Amulet_ExpireTransferInstructions: nonConsuming(
    { amuletRulesCid, transferInsts: expiryOfInstructions.argument, sv: party },
    record({ result: expiryOfInstructions.result }),
  ),
  DsoRules_ExpireAmuletAllocations: nonConsuming(
    { extAmuletRulesCid: contractId, expireAllocations: expiryOfAllocations.argument, sv: party },
    record({ result: expiryOfAllocations.result }),
  ),
  DsoRules_ExpireTransferPreapproval: nonConsuming({ transferPreapprovalCid: contractId, sv }),
} as const;
