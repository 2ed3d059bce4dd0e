/**
 * BuyTrafficRequest: a user asks its own wallet to buy traffic, once, before a deadline. Until then it can be
 * completed or cancelled; from then on it can only be expired.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Time } from "../../values/time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { BuyTrafficRequest } from "./declarations/traffic-purchases.ts";

export const buyTrafficRequest = implement(BuyTrafficRequest, {
  signatories: endUser,
  choices: {
    BuyTrafficRequest_Complete: {
      controllers: ({ endUserParty }, { walletProvider }) => [endUserParty, walletProvider],
      exercise: ({ update, contract: request, argument: { inputs, context } }) => {
        requireNotExpired(update.now, request);
        const { dso, endUserParty, memberId, synchronizerId, migrationId, trafficAmount } = request;
        const { purchasedTraffic, senderChangeAmulet } = update.exercise(
          AmuletRules,
          context.amuletRules,
          "AmuletRules_BuyMemberTraffic",
          {
            inputs,
            context: context.context,
            provider: endUserParty,
            memberId,
            synchronizerId,
            migrationId,
            trafficAmount,
            expectedDso: dso,
          },
        );
        return { purchasedTraffic, ...tracked(request), senderChangeAmulet };
      },
    },
    BuyTrafficRequest_Cancel: {
      controllers: endUser,
      exercise: ({ update, contract: request }) => {
        requireNotExpired(update.now, request);
        return tracked(request);
      },
    },
    BuyTrafficRequest_Expire: {
      controllers: endUser,
      exercise: ({ update, contract: request }) => {
        requireThat("Contract has expired", update.now >= request.expiresAt);
        return tracked(request);
      },
    },
  },
});

function endUser({ endUserParty }: BuyTrafficRequest) {
  return [endUserParty];
}

function requireNotExpired(now: Time, { expiresAt }: BuyTrafficRequest): void {
  requireThat("Contract has not expired", now < expiresAt);
}

function tracked({ trackingId, endUserParty }: BuyTrafficRequest) {
  return { trackingInfo: { trackingId, endUserParty } };
}
