/**
 * Decisions of the SVs as a whole on apps, on the rules' own configuration and on what a quorum may have to
 * create. Only the DSO may take them, and it acts on confirmed actions only.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { FeaturedAppRight } from "../splice-amulet/declarations/amulet.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommandCounter,
} from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { patchOf } from "../splice-amulet/rules/patch.ts";
import { BootstrapExternalPartyConfigStateInstruction, DsoRules } from "./declarations/dso-rules.ts";
import { DsoRulesConfig } from "./declarations/dso-rules-config.ts";
import { withKey } from "./keyed-map.ts";
import { svInfo } from "./members.ts";

const patchDsoConfig = patchOf(DsoRulesConfig);
const dsoAlone = ({ dso }: DsoRules) => [dso];

export const decidedChoices = {
  DsoRules_GrantFeaturedAppRight: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { provider } }) => ({
      featuredAppRight: update.create(FeaturedAppRight, { dso, provider }),
    }),
  },
  DsoRules_RevokeFeaturedAppRight: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { rightCid } }) => {
      fetchChecked(update, FeaturedAppRight, rightCid, forDso(dso));
      const reason = "revoked by governance decision";
      update.exercise(FeaturedAppRight, rightCid, "FeaturedAppRight_Withdraw", { reason });
      return {};
    },
  },
  DsoRules_SetConfig: {
    controllers: dsoAlone,
    exercise: ({ update, contract: rules, argument: { newConfig, baseConfig } }) => {
      const config = baseConfig === null ? newConfig : patchDsoConfig(newConfig, baseConfig, rules.config);
      return { newDsoRules: update.create(DsoRules, { ...rules, config }) };
    },
  },
  DsoRules_UpdateSvRewardWeight: {
    controllers: dsoAlone,
    exercise: ({ update, contract: rules, argument: { svParty, newRewardWeight } }) => {
      // Zero is allowed, whatever the label says: an SV without rewards.
      requireThat("New reward weight is positive", newRewardWeight >= 0n);
      const info = svInfo(rules, svParty) ?? abort("SV party is not registered");
      const svs = withKey(rules.svs, svParty, { ...info, svRewardWeight: newRewardWeight });
      return { newDsoRules: update.create(DsoRules, { ...rules, svs }) };
    },
  },
  DsoRules_CreateExternalPartyAmuletRules: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso } }) => ({
      externalPartyAmuletRulesCid: update.create(ExternalPartyAmuletRules, { dso }),
    }),
  },
  // The SVs make sure that the sender has none yet.
  DsoRules_CreateTransferCommandCounter: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { sender } }) => ({
      transferCommandCounterCid: update.create(TransferCommandCounter, { dso, sender, nextNonce: 0n }),
    }),
  },
  DsoRules_CreateBootstrapExternalPartyConfigStateInstruction: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso } }) => ({
      instructionCid: update.create(BootstrapExternalPartyConfigStateInstruction, { dso }),
    }),
  },
} satisfies SomeChoiceRules<typeof DsoRules>;
