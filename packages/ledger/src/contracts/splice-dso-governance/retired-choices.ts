/** Choices of DsoRules that later versions replaced. History names them; nobody can exercise them any more. */
import type { SomeChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import { deprecatedChoices } from "../checks/deprecated-choices.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { actingSv, byMember } from "./members.ts";

const requester = (_rules: DsoRules, given: { readonly requester: PartyId }) => [given.requester];
const actor = (_rules: DsoRules, given: { readonly actor: PartyId }) => [given.actor];
const sv = (_rules: DsoRules, given: { readonly sv: PartyId | null }) => [actingSv(given.sv)];

export const retiredChoices = {
  ...deprecatedChoices("splice-dso-governance", "0.1.17", {
    DsoRules_RequestElection: requester,
    DsoRules_ElectDsoDelegate: actor,
    DsoRules_ArchiveOutdatedElectionRequest: sv,
  }),
  ...deprecatedChoices("splice-dso-governance", "0.1.16", { DsoRules_PruneAmuletConfigSchedule: sv }),
  ...deprecatedChoices("splice-dso-governance", "0.1.23", { DsoRules_Amulet_Expire: sv }),
  // The choice that it forwards to is the one that was retired.
  DsoRules_LockedAmulet_ExpireAmulet: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmulet", choiceArg);
    return { expireSum };
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
