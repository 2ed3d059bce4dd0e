/** The subscription that pays for an entry: its parties and its terms follow from the rules. */
import { showText } from "../../daml/show.ts";
import type { PartyId } from "../../values/party-id.ts";
import type {
  SubscriptionData,
  SubscriptionPayData,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import type { AnsRules } from "./declarations/ans.ts";

export function entrySubscription(
  { dso, config }: AnsRules,
  { user, name }: { readonly user: PartyId; readonly name: string },
): SubscriptionData {
  const description = config.descriptionPrefix + showText(name);
  return { sender: user, receiver: dso, provider: dso, dso, description };
}

export function entryTerms({ config }: Pick<AnsRules, "config">): SubscriptionPayData {
  return {
    paymentAmount: { amount: config.entryFee, unit: "USDUnit" },
    paymentInterval: config.entryLifetime,
    paymentDuration: config.renewalDuration,
  };
}
