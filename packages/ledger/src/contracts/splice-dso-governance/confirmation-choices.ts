/**
 * An action that needs a quorum: each SV confirms it, and once enough have, any SV executes it. Executing uses
 * up the confirmations it is given, so that they count once. They must be of distinct members, not lapsed, and
 * for exactly this action. Confirmations that were not handed in stay until they lapse.
 */
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import { requiredConfirmations } from "../../values/required-confirmations.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive, fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { requireWithinDeadline } from "../checks/deadline.ts";
import { ActionRequiringConfirmation } from "./declarations/confirmed-action.ts";
import { Confirmation, type DsoRules } from "./declarations/dso-rules.ts";
import { executeAction } from "./execute-action.ts";
import { byMember, isMember } from "./members.ts";

export const confirmationChoices = {
  DsoRules_ConfirmAction: {
    controllers: (_rules, { confirmer }) => [confirmer],
    exercise: ({ update, contract: rules, argument: { confirmer, action } }) => {
      requireThat("Confirmer is an SV", isMember(rules, confirmer));
      const { dso, config } = rules;
      const expiresAt = addDuration(update.now, config.actionConfirmationTimeout.microseconds);
      return { confirmation: update.create(Confirmation, { dso, confirmer, action, expiresAt }) };
    },
  },
  DsoRules_ExecuteConfirmedAction: byMember(({ update, contract: rules, argument, self }) => {
    const { action, amuletRulesCid, confirmationCids } = argument;
    const { dso, svs } = rules;
    requireThat("Enough confirmations", confirmationCids.length >= requiredConfirmations(svs.length));
    // Actions are equal if their canonical texts are; the one to execute is encoded once.
    const actionText = ActionRequiringConfirmation.encode(action);
    const confirmers = new Set<PartyId>();
    for (const confirmationCid of confirmationCids) {
      const given = fetchAndArchive(update, Confirmation, confirmationCid, forDso(dso));
      requireThat("Confirmer is an SV", isMember(rules, given.confirmer));
      requireThat(
        "Confirmed action matches",
        ActionRequiringConfirmation.encode(given.action) === actionText,
      );
      requireWithinDeadline("confirmation.expiresAt", update.now, given.expiresAt);
      confirmers.add(given.confirmer);
    }
    requireThat("No duplicate confirmers", confirmers.size === confirmationCids.length);
    executeAction(update, { dso, dsoRulesCid: self, amuletRulesCid }, action);
    return {};
  }),
  DsoRules_ExpireStaleConfirmation: byMember(({ update, contract: { dso }, argument }) => {
    const { staleConfirmationCid } = argument;
    fetchChecked(update, Confirmation, staleConfirmationCid, forDso(dso));
    update.exercise(Confirmation, staleConfirmationCid, "Confirmation_Expire", {});
    return {};
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
