/** Offers, transfers and requests that wait for an answer, of the user's or of others. */
import type { WireContract } from "@callsign/api";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useRead } from "../calls/use-calls.ts";
import { textAt } from "../register/payload-fields.ts";
import { useParty } from "../register/wallet-gate.tsx";

const WATCH = { everyMilliseconds: 5000 } as const;

export interface Offer {
  readonly id: string;
  /** By the token standard the coin is locked; an offer takes it when it is accepted. */
  readonly kind: "offer" | "token";
  readonly sender: string;
  readonly receiver: string;
  /** In coin, or in dollars. */
  readonly amount: string;
  readonly isUsd: boolean;
  readonly description: string;
  readonly expiresAt: string;
}

const REASON = "splice.lfdecentralizedtrust.org/reason";

function readTransferOffer({ contract_id, payload }: WireContract): Offer {
  return {
    id: contract_id,
    kind: "offer",
    sender: textAt(payload, "sender"),
    receiver: textAt(payload, "receiver"),
    amount: textAt(payload, "amount", "amount"),
    isUsd: textAt(payload, "amount", "unit") === "USDUnit",
    description: textAt(payload, "description"),
    expiresAt: textAt(payload, "expiresAt"),
  };
}

function readTokenTransfer({ contract_id, payload }: WireContract): Offer {
  return {
    id: contract_id,
    kind: "token",
    sender: textAt(payload, "transfer", "sender"),
    receiver: textAt(payload, "transfer", "receiver"),
    amount: textAt(payload, "transfer", "amount"),
    isUsd: false,
    description: textAt(payload, "transfer", "meta", "values", REASON),
    expiresAt: textAt(payload, "transfer", "executeBefore"),
  };
}

export function useOffers() {
  const party = useParty();
  const offers = useRead("validator", "GET /v0/wallet/transfer-offers", {}, WATCH);
  const tokens = useRead("validator", "GET /v0/wallet/token-standard/transfers", {}, WATCH);
  const all = [
    ...(offers.data?.offers ?? []).map(readTransferOffer),
    ...(tokens.data?.transfers ?? []).map(readTokenTransfer),
  ];
  return {
    reads: [offers, tokens] as const,
    incoming: all.filter(({ receiver }) => receiver === party),
    outgoing: all.filter(({ sender, receiver }) => sender === party && receiver !== party),
  };
}

export function useRequests() {
  const payments = useRead("validator", "GET /v0/wallet/app-payment-requests", {}, WATCH);
  const subscriptions = useRead("validator", "GET /v0/wallet/subscription-requests", {}, WATCH);
  return { payments, subscriptions };
}

/** How many things wait for the user's answer. */
export function useWaitingAnswers(): number {
  const { incoming } = useOffers();
  const { payments, subscriptions } = useRequests();
  const alive = incoming.filter(({ expiresAt }) => new Date(expiresAt).getTime() > readNetworkClock());
  return (
    alive.length +
    (payments.data?.payment_requests.length ?? 0) +
    (subscriptions.data?.subscription_requests.length ?? 0)
  );
}
