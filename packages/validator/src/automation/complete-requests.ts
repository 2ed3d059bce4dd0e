/** Pays what wallets have agreed to pay: transfers whose receiver accepted the offer, traffic that a user asked for. */
import {
  AcceptedTransferOffer,
  type AmuletOperation,
  type AnyTemplateDeclaration,
  BuyTrafficRequest,
  type ContractId,
} from "@callsign/ledger";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import type { Automation } from "./automation.ts";
import { stale } from "./stale.ts";

export interface CompletionParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly directory: WalletDirectory;
}

export function completeTransferOffers(parts: CompletionParts): Automation {
  const toOperation = (value: ContractId) => ({ tag: "CO_CompleteAcceptedTransfer", value }) as const;
  return { ...completing(parts, AcceptedTransferOffer, toOperation), name: "complete-transfer-offers" };
}

export function completeTrafficRequests(parts: CompletionParts): Automation {
  const toOperation = (trafficRequestCid: ContractId) =>
    ({ tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid } }) as const;
  return { ...completing(parts, BuyTrafficRequest, toOperation), name: "complete-traffic-requests" };
}

/** The owner pays. What has expired is left to whatever ends it. */
function completing(
  { store, reads, ledger, directory }: CompletionParts,
  template: AnyTemplateDeclaration,
  toOperation: (contractId: ContractId) => AmuletOperation,
): Omit<Automation, "name"> {
  return {
    reactsTo: [template],
    listDue: (now, after) => reads.listOpen([template], now, after),
    nextDueAt: async () => null,
    perform: async (contractId) => {
      const request = await store.find(template, contractId);
      const wallet = request === undefined ? undefined : await directory.findByParty(request.owner);
      if (wallet === undefined) return false;
      await ledger.runOperation(
        wallet,
        async () => {
          const found = await store.find(template, contractId);
          if (found === undefined) throw stale(`${template.entity} ${contractId}`);
          return { operation: toOperation(found.contractId) };
        },
        { asker: "automation" },
      );
      return true;
    },
  };
}
