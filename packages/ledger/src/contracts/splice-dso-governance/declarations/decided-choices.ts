/** The choices of DsoRules that the DSO itself makes: each is an action that a quorum of SVs has to agree on. */
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, nameTypes, nonConsuming } from "../../../engine/declaration.ts";
import { Round } from "../../splice-amulet/declarations/round-number.ts";
import { DsoRulesConfig } from "./dso-rules-config.ts";

const NewRules = record({ newDsoRules: contractId });

export const decidedChoices = nameTypes({
  DsoRules_AddSv: consuming(
    {
      newSvParty: party,
      newSvName: text,
      newSvRewardWeight: int64,
      newSvParticipantId: text,
      joinedAsOfRound: Round,
    },
    NewRules,
  ),
  DsoRules_OffboardSv: consuming({ sv: party }, NewRules),
  DsoRules_ConfirmSvOnboarding: nonConsuming(
    { newSvParty: party, newSvName: text, newParticipantId: text, newSvRewardWeight: int64, reason: text },
    record({ onboardingConfirmed: contractId }),
  ),
  DsoRules_GrantFeaturedAppRight: nonConsuming({ provider: party }, record({ featuredAppRight: contractId })),
  DsoRules_RevokeFeaturedAppRight: nonConsuming({ rightCid: contractId }),
  DsoRules_SetConfig: consuming(
    { newConfig: DsoRulesConfig, baseConfig: optional(DsoRulesConfig) },
    NewRules,
  ),
  DsoRules_UpdateSvRewardWeight: consuming({ svParty: party, newRewardWeight: int64 }, NewRules),
  DsoRules_CreateExternalPartyAmuletRules: nonConsuming(
    {},
    record({ externalPartyAmuletRulesCid: contractId }),
  ),
  DsoRules_CreateTransferCommandCounter: nonConsuming(
    { sender: party },
    record({ transferCommandCounterCid: contractId }),
  ),
  DsoRules_CreateBootstrapExternalPartyConfigStateInstruction: nonConsuming(
    {},
    record({ instructionCid: contractId }),
  ),
  DsoRules_CreateUnallocatedUnclaimedActivityRecord: nonConsuming(
    { beneficiary: party, amount: numeric, reason: text, expiresAt: time },
    record({ unallocatedUnclaimedActivityRecordCid: contractId }),
  ),
});
