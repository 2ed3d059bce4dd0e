/** Splice.SvOnboarding: a candidate with a token becomes an SV: a sponsor asks for it, a quorum confirms it. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { dsoGovernancePackage } from "../../packages.ts";

const place = { package: dsoGovernancePackage, module: "Splice.SvOnboarding" } as const;

const candidate = { candidateName: text, candidateParty: party, candidateParticipantId: text } as const;

export const SvOnboardingRequest = declareTemplate({
  ...place,
  entity: "SvOnboardingRequest",
  fields: { ...candidate, token: text, sponsor: party, dso: party, expiresAt: time },
  choices: { SvOnboardingRequest_Expire: consuming({}) },
});

export const SvOnboardingConfirmed = declareTemplate({
  ...place,
  entity: "SvOnboardingConfirmed",
  fields: {
    svParty: party,
    svName: text,
    svRewardWeight: int64,
    svParticipantId: text,
    reason: text,
    dso: party,
    expiresAt: time,
  },
  choices: { SvOnboardingConfirmed_Expire: consuming({}) },
});
export type SvOnboardingConfirmed = ValueOf<(typeof SvOnboardingConfirmed)["record"]>;

const sv = optional(party);

export const onboardingChoices = {
  DsoRules_StartSvOnboarding: nonConsuming(
    { ...candidate, token: text, sponsor: party },
    record({ onboardingRequest: contractId }),
  ),
  DsoRules_ExpireSvOnboardingRequest: nonConsuming({ cid: contractId, sv }),
  DsoRules_ArchiveSvOnboardingRequest: nonConsuming({ svOnboardingRequestCid: contractId, sv }),
  DsoRules_AddConfirmedSv: nonConsuming(
    {
      sv: party,
      svOnboardingConfirmedCid: contractId,
      earliestRoundCid: contractId,
      middleRoundCid: contractId,
      latestRoundCid: contractId,
      amuletRulesCid: contractId,
    },
    record({ newDsoRules: contractId }),
  ),
  DsoRules_ExpireSvOnboardingConfirmed: consuming(
    { cid: contractId, sv },
    record({ newDsoRules: contractId }),
  ),
} as const;
