/** The checks that both collections share: the payment and the entry's context belong together, coin is burned. */
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forOwner } from "../checks/contract-group.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import type { SubscriptionData } from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntryContext } from "./declarations/ans.ts";

interface EntryOwner {
  readonly dso: PartyId;
  readonly user: PartyId;
}

export function requirePaymentFrom({ dso, user }: EntryOwner, { provider, sender }: SubscriptionData): void {
  requireThat("matching DSO party", dso === provider);
  requireThat("Sender matches", user === sender);
}

/** The reference is the id of the subscription request: it ties a payment to the entry it pays for. */
export function fetchEntryContext(
  update: Update,
  contextCid: ContractId,
  { dso, user, reference }: EntryOwner & { readonly reference: ContractId },
): AnsEntryContext {
  const context = update.fetch(AnsEntryContext, contextCid);
  requireThat("matching DSO party", dso === context.dso);
  requireThat("User matches", user === context.user);
  requireThat("Subscription reference matches", reference === context.reference);
  return context;
}

/** Archives the coin the DSO has just received; nothing of a fee remains. */
export function burn(update: Update, dso: PartyId, amulet: ContractId): void {
  fetchAndArchive(update, Amulet, amulet, forOwner({ dso, owner: dso }));
}
