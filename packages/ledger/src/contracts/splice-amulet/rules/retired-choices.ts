/** Choices of AmuletRules that later versions retired: history knows them, but they always abort. */
import type { TemplateRules } from "../../../engine/template.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { deprecatedChoice } from "../../checks/deprecated-choice.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";

type RetiredChoices = Pick<
  TemplateRules<typeof AmuletRules>["choices"],
  | "AmuletRules_ComputeFees"
  | "AmuletRules_AddFutureAmuletConfigSchedule"
  | "AmuletRules_RemoveFutureAmuletConfigSchedule"
  | "AmuletRules_UpdateFutureAmuletConfigSchedule"
>;

const WITHOUT_FEES = { name: "splice-amulet", version: "0.1.17" };
const WITHOUT_SCHEDULE = { name: "splice-amulet", version: "0.1.12" };
const dsoAlone = ({ dso }: AmuletRules) => [dso];
const senderAlone = (_rules: AmuletRules, { sender }: { readonly sender: PartyId }) => [sender];

export const retiredChoices: RetiredChoices = {
  AmuletRules_ComputeFees: deprecatedChoice("AmuletRules_ComputeFees", WITHOUT_FEES, senderAlone),
  AmuletRules_AddFutureAmuletConfigSchedule: deprecatedChoice(
    "AmuletRules_AddFutureAmuletConfigSchedule",
    WITHOUT_SCHEDULE,
    dsoAlone,
  ),
  AmuletRules_RemoveFutureAmuletConfigSchedule: deprecatedChoice(
    "AmuletRules_RemoveFutureAmuletConfigSchedule",
    WITHOUT_SCHEDULE,
    dsoAlone,
  ),
  AmuletRules_UpdateFutureAmuletConfigSchedule: deprecatedChoice(
    "AmuletRules_UpdateFutureAmuletConfigSchedule",
    WITHOUT_SCHEDULE,
    dsoAlone,
  ),
};
