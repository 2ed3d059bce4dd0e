/**
 * Coin whose holding fees have eaten it up is removed by any SV. The two configuration states that this goes by
 * are replaced in turn, by any SV too. The coin's own contracts check that the time has come.
 */
import type { SomeChoiceRules } from "../../engine/template.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { BootstrapExternalPartyConfigStateInstruction, type DsoRules } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

export const coinChoices = {
  DsoRules_Amulet_ExpireV2: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(Amulet, cid, "Amulet_ExpireV2", choiceArg);
    return { expireSum };
  }),
  DsoRules_LockedAmulet_ExpireAmuletV2: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmuletV2", choiceArg);
    return { expireSum };
  }),
  DsoRules_UpdateExternalPartyConfigStates: byMember(({ update, argument }) => {
    const { externalPartyConfigStateCid0, externalPartyConfigStateCid1, openMiningRoundTriple } = argument;
    const choice = "AmuletRules_UpdateExternalPartyConfigStates";
    return update.exercise(AmuletRules, argument.amuletRulesCid, choice, {
      externalPartyConfigStateCid0,
      externalPartyConfigStateCid1,
      openMiningRoundTriple,
    });
  }),
  DsoRules_BootstrapExternalPartyConfigState: byMember(({ update, contract: { dso }, argument }) => {
    const { amuletRulesCid, instructionCid, openMiningRoundTriple } = argument;
    fetchAndArchive(update, BootstrapExternalPartyConfigStateInstruction, instructionCid, forDso(dso));
    const choice = "AmuletRules_BootstrapExternalPartyConfigState";
    return update.exercise(AmuletRules, amuletRulesCid, choice, { openMiningRoundTriple, expectedDso: dso });
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
