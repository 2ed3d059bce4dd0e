/**
 * NameCare: what Splice leaves stuck for ever, any SV may free with the DSO's authority (decision 0002).
 * A renewal comes back to its sender only when it can no longer be collected, so nobody can take away a renewal
 * that would still have worked. A request is withdrawn only after notice that its user can see, and goes together
 * with its context, so nothing is left behind.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement, type SomeChoiceRules } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive, fetchChecked } from "../checks/checked-fetch.ts";
import { type ContractGroup, forDso } from "../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../checks/deadline.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../splice-dso-governance/declarations/dso-rules.ts";
import { requireMember } from "../splice-dso-governance/members.ts";
import {
  type SubscriptionData,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare, RequestWithdrawal } from "./declarations/names.ts";

/** Rounds are numbered without a gap, and this many are open at any time. */
const OPEN_ROUNDS = 3n;

/** The time a user has to answer a request once its withdrawal was announced. */
const NOTICE_PERIOD = 30n * DAY;

/** The rules of all choices of version 0.1.0, which later versions keep. */
export const careChoices = {
  NameCare_ReturnRenewalPayment: {
    controllers: (_care, { sv }) => [sv],
    exercise: ({ update, contract: { dso }, argument }) => {
      const { paymentCid, transferContext } = argument;
      requireSv(update, dso, argument);
      const payment = fetchChecked(update, SubscriptionPayment, paymentCid, receivedByDso(dso));
      const { openMiningRound } = transferContext;
      const round = fetchChecked(update, OpenMiningRound, openMiningRound, forDso(dso));
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
  NameCare_AnnounceWithdrawal: {
    controllers: (_care, { sv }) => [sv],
    exercise: ({ update, contract: { dso }, argument }) => {
      requireSv(update, dso, argument);
      const { requestCid } = argument;
      const { subscriptionData } = fetchRequest(update, dso, requestCid);
      const withdrawal = update.create(RequestWithdrawal, {
        dso,
        user: subscriptionData.sender,
        reference: requestCid,
        withdrawableAt: addDuration(update.now, NOTICE_PERIOD),
      });
      return { withdrawal };
    },
  },
  NameCare_WithdrawRequest: {
    controllers: (_care, { sv }) => [sv],
    exercise: ({ update, contract: { dso }, argument }) => {
      const { withdrawalCid, ansEntryContextCid } = argument;
      requireSv(update, dso, argument);
      const announced = fetchAndArchive(update, RequestWithdrawal, withdrawalCid, forDso(dso));
      requireDeadlineExceeded("withdrawableAt", update.now, announced.withdrawableAt);
      const { reference } = announced;
      fetchRequest(update, dso, reference);
      const { terminatedSubscription } = update.exercise(
        SubscriptionRequest,
        reference,
        "SubscriptionRequest_Withdraw",
        {},
      );
      if (ansEntryContextCid === null) return {};
      const context = fetchChecked(update, AnsEntryContext, ansEntryContextCid, forDso(dso));
      requireThat("Reference matches", context.reference === reference);
      update.exercise(AnsEntryContext, ansEntryContextCid, "AnsEntryContext_Terminate", {
        actor: dso,
        terminatedSubscriptionCid: terminatedSubscription,
      });
      return {};
    },
  },
  // A contract cannot know that another one is gone, so whether an announcement is void is for the SVs to see.
  // One that is discarded too early costs nothing but the wait for another.
  NameCare_DiscardWithdrawal: {
    controllers: (_care, { sv }) => [sv],
    exercise: ({ update, contract: { dso }, argument }) => {
      requireSv(update, dso, argument);
      fetchAndArchive(update, RequestWithdrawal, argument.withdrawalCid, forDso(dso));
      return {};
    },
  },
} satisfies SomeChoiceRules<typeof NameCare>;

export const nameCare = implement(NameCare, {
  signatories: ({ dso }) => [dso],
  choices: careChoices,
});

interface Subscribed {
  readonly subscriptionData: SubscriptionData;
}

/** Subscriptions to others are none of the DSO's business. */
function receivedByDso(dso: PartyId): ContractGroup<Subscribed> {
  const groupOf = ({ subscriptionData }: Subscribed) => {
    return { dso: subscriptionData.dso, receiver: subscriptionData.receiver };
  };
  return { name: "ForReceiver", expected: { dso, receiver: dso }, groupOf };
}

function fetchRequest(update: Update, dso: PartyId, requestCid: ContractId): SubscriptionRequest {
  return fetchChecked(update, SubscriptionRequest, requestCid, receivedByDso(dso));
}

/** Throws unless the party is an SV by the current rules. */
export function requireSv(
  update: Update,
  dso: PartyId,
  { sv, dsoRulesCid }: { readonly sv: PartyId; readonly dsoRulesCid: ContractId },
): void {
  requireMember(fetchChecked(update, DsoRules, dsoRulesCid, forDso(dso)), sv);
}
