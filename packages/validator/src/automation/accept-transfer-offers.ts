/**
 * Accepts the transfer offers of trusted senders, as `autoAcceptTransfers` says. All other offers are left alone, and so
 * are transfers of the token standard.
 */
import { type PartyId, TransferOffer, WalletAppInstall } from "@callsign/ledger";
import { onePage, SKIPPED } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import type { AutoAccepts } from "../settings/transfer-settings.ts";
import type { Priority } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import { lacksTopUpFunds, type TopUpSettings } from "./top-up-traffic.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function acceptTransferOffers(
  parts: AutomationParts,
  rules: AutoAccepts,
  topup: TopUpSettings | undefined,
): ValidatorAutomation {
  const { store, reads, ledger, clock, directory, operatorParty } = parts;
  const sendersOf = new Map(
    Object.entries(rules).map(([receiver, { fromParties }]) => [receiver, new Set(fromParties)]),
  );
  const find = async (contractId: string) => {
    const offer = await store.find(TransferOffer, contractId);
    if (offer === undefined || offer.payload.expiresAt <= clock.now) return undefined;
    const { sender, receiver } = offer.payload;
    return sendersOf.get(receiver)?.has(sender) === true ? { ...offer, receiver } : undefined;
  };
  /** Coin that the operator receives may pay for traffic. */
  const priorityFor = async (receiver: PartyId): Promise<Priority> =>
    receiver === operatorParty && topup !== undefined && (await lacksTopUpFunds(parts, topup))
      ? "high"
      : "low";
  return {
    name: "accept-transfer-offers",
    concerns: [TransferOffer],
    listDue: onePage(async (now) => {
      const offers = [...sendersOf].map(async ([receiver, senders]) => {
        const found = await reads.listOffersTo(receiver, [...senders], now);
        return found.map((task) => ({ task, owner: receiver }));
      });
      return (await Promise.all(offers)).flat();
    }),
    perform: async (contractId) => {
      const offer = await find(contractId);
      const wallet = offer && (await directory.findByParty(offer.receiver));
      if (offer === undefined || wallet === undefined) return SKIPPED;
      const accept = async () => {
        const found = await find(contractId);
        if (found === undefined) return "stale";
        const choice = "WalletAppInstall_TransferOffer_Accept";
        return { commands: [exercise(WalletAppInstall, wallet.install, choice, { cid: found.contractId })] };
      };
      const priority = await priorityFor(offer.receiver);
      return await outcomeOf(ledger.submitAs("operator", wallet.party, accept, { priority }));
    },
  };
}
