/** Choices of DsoRules that later versions replaced. History names them; nobody can exercise them any more. */
import type { TemplateRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import { deprecatedChoice } from "../checks/deprecated-choice.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import type { retiredChoices as declared } from "./declarations/retired-choices.ts";
import { actingSv, byMember } from "./members.ts";

type RetiredChoices = Pick<TemplateRules<typeof DsoRules>["choices"], keyof typeof declared>;

const since = (version: string) => ({ name: "splice-dso-governance", version });
const WITHOUT_DELEGATE = since("0.1.17");
const WITHOUT_SCHEDULE = since("0.1.16");
const WITHOUT_ROUNDS_IN_EXPIRY = since("0.1.23");

const svAlone = (_rules: DsoRules, { sv }: { readonly sv: PartyId | null }) => [actingSv(sv)];

export const retiredChoices: RetiredChoices = {
  DsoRules_RequestElection: deprecatedChoice(
    "DsoRules_RequestElection",
    WITHOUT_DELEGATE,
    (_rules: DsoRules, { requester }) => [requester],
  ),
  DsoRules_ElectDsoDelegate: deprecatedChoice(
    "DsoRules_ElectDsoDelegate",
    WITHOUT_DELEGATE,
    (_rules: DsoRules, { actor }) => [actor],
  ),
  DsoRules_ArchiveOutdatedElectionRequest: deprecatedChoice(
    "DsoRules_ArchiveOutdatedElectionRequest",
    WITHOUT_DELEGATE,
    svAlone,
  ),
  DsoRules_PruneAmuletConfigSchedule: deprecatedChoice(
    "DsoRules_PruneAmuletConfigSchedule",
    WITHOUT_SCHEDULE,
    svAlone,
  ),
  DsoRules_Amulet_Expire: deprecatedChoice("DsoRules_Amulet_Expire", WITHOUT_ROUNDS_IN_EXPIRY, svAlone),
  // The choice that it forwards to is the one that was retired.
  DsoRules_LockedAmulet_ExpireAmulet: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmulet", choiceArg);
    return { expireSum };
  }),
};
