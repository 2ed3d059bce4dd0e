/**
 * NameCare with its choices for names that are taken up again (decision 0054). Any SV may use them: the request says
 * what its user wants, and accepting it checks all of that.
 */
import { implement } from "../../engine/template.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { NameCareV2, TakeUpRequest } from "./declarations/take-up.ts";
import { careChoices, requireSv } from "./name-care.ts";

export const nameCareV2 = implement(NameCareV2, {
  signatories: ({ dso }) => [dso],
  choices: {
    ...careChoices,
    NameCare_TakeUp: {
      controllers: (_care, { sv }) => [sv],
      exercise: ({ update, contract: { dso }, argument }) => {
        const { requestCid, ansRulesCid } = argument;
        requireSv(update, dso, argument);
        fetchChecked(update, TakeUpRequest, requestCid, forDso(dso));
        return update.exercise(TakeUpRequest, requestCid, "TakeUpRequest_Accept", { ansRulesCid });
      },
    },
    // A contract cannot know that another one is gone, so the SVs see whether the name has a subscription. The user of a
    // request that is discarded too early asks again.
    NameCare_DiscardTakeUp: {
      controllers: (_care, { sv }) => [sv],
      exercise: ({ update, contract: { dso }, argument }) => {
        const { requestCid } = argument;
        requireSv(update, dso, argument);
        fetchChecked(update, TakeUpRequest, requestCid, forDso(dso));
        return update.exercise(TakeUpRequest, requestCid, "TakeUpRequest_Discard", {});
      },
    },
  },
});
