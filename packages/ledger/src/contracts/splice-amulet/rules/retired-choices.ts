/** Choices of AmuletRules that later versions retired: history knows them, but they always abort. */
import type { SomeChoiceRules } from "../../../engine/template.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { deprecatedChoices } from "../../checks/deprecated-choices.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";

const dso = (rules: AmuletRules) => [rules.dso];
const sender = (_rules: AmuletRules, given: { readonly sender: PartyId }) => [given.sender];

export const retiredChoices = {
  ...deprecatedChoices("splice-amulet", "0.1.17", { AmuletRules_ComputeFees: sender }),
  ...deprecatedChoices("splice-amulet", "0.1.12", {
    AmuletRules_AddFutureAmuletConfigSchedule: dso,
    AmuletRules_RemoveFutureAmuletConfigSchedule: dso,
    AmuletRules_UpdateFutureAmuletConfigSchedule: dso,
  }),
} satisfies SomeChoiceRules<typeof AmuletRules>;
