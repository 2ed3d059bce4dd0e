/**
 * NameCare: what Splice leaves stuck for ever, any SV may free with the DSO's authority (decision 0002).
 * A renewal comes back to its sender only when it can no longer be collected, so nobody can take away a renewal
 * that would still have worked. A request goes together with its context, so nothing is left behind.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../splice-dso-governance/declarations/dso-rules.ts";
import { requireMember } from "../splice-dso-governance/members.ts";
import {
  SubscriptionPayment,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./declarations/names.ts";

/** Rounds are numbered without a gap, and this many are open at any time. */
const OPEN_ROUNDS = 3n;

export const nameCare = implement(NameCare, {
  signatories: ({ dso }) => [dso],
  choices: {
    NameCare_ReturnRenewalPayment: {
      controllers: (_care, { sv }) => [sv],
      exercise: ({ update, contract: { dso }, argument }) => {
        const { paymentCid, transferContext } = argument;
        requireSv(update, dso, argument);
        const payment = fetchChecked(
          update,
          SubscriptionPayment,
          paymentCid,
          ({ subscriptionData }) => subscriptionData.dso === dso && subscriptionData.receiver === dso,
        );
        const { openMiningRound } = transferContext;
        const round = fetchChecked(update, OpenMiningRound, openMiningRound, (found) => found.dso === dso);
        // An entry is renewed before the payment is due, and in the round of the payment. That round has closed
        // for good once a round is open that was not open together with it.
        const isTooLate = update.now >= payment.thisPaymentDueAt;
        const isRoundClosed = round.round.number - payment.round.number >= OPEN_ROUNDS;
        requireThat("Renewal can no longer be collected", isTooLate || isRoundClosed);
        return update.exercise(SubscriptionPayment, paymentCid, "SubscriptionPayment_Reject", {
          transferContext,
        });
      },
    },
    // A contract cannot know when another one was created, so how long a request may wait for its answer is for
    // the SVs' automation to judge. A request that is withdrawn too early costs its owner nothing: no coin has
    // been locked yet, and the name can be requested again.
    NameCare_WithdrawRequest: {
      controllers: (_care, { sv }) => [sv],
      exercise: ({ update, contract: { dso }, argument }) => {
        const { ansEntryContextCid, requestCid } = argument;
        requireSv(update, dso, argument);
        const context = fetchChecked(
          update,
          AnsEntryContext,
          ansEntryContextCid,
          (found) => found.dso === dso,
        );
        requireThat("Reference matches", context.reference === requestCid);
        const withdrawn = update.exercise(
          SubscriptionRequest,
          requestCid,
          "SubscriptionRequest_Withdraw",
          {},
        );
        update.exercise(AnsEntryContext, ansEntryContextCid, "AnsEntryContext_Terminate", {
          actor: dso,
          terminatedSubscriptionCid: withdrawn.terminatedSubscription,
        });
        return {};
      },
    },
  },
});

function requireSv(
  update: Update,
  dso: PartyId,
  { sv, dsoRulesCid }: { readonly sv: PartyId; readonly dsoRulesCid: ContractId },
): void {
  requireMember(
    fetchChecked(update, DsoRules, dsoRulesCid, (rules) => rules.dso === dso),
    sv,
  );
}
