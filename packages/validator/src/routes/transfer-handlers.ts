/** Coin and traffic for others: offers, requests to buy traffic, transfers by preapproval. */
import { AcceptedTransferOffer, TransferOffer } from "@callsign/ledger";
import { listContracts } from "../wallet/list-contracts.ts";
import { createPreapproval, sendByPreapproval } from "../wallet/preapprovals.ts";
import { createTrafficRequest, getTrafficRequestStatus } from "../wallet/traffic-requests.ts";
import {
  acceptOffer,
  createOffer,
  getOfferStatus,
  rejectOffer,
  withdrawOffer,
} from "../wallet/transfer-offers.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function transferHandlers(running: () => Running) {
  return {
    createTransferOffer: async ({ body }, call) => ({
      offer_contract_id: await createOffer(running(), walletOf(call), body),
    }),
    listTransferOffers: async (_, call) => ({
      offers: await listContracts(running().store, TransferOffer, { party: walletOf(call).party }),
    }),
    getTransferOfferStatus: ({ params }, call) =>
      getOfferStatus(running().history, walletOf(call), params.tracking_id),
    acceptTransferOffer: async ({ params }, call) => ({
      accepted_offer_contract_id: await acceptOffer(running(), walletOf(call), params.contract_id),
    }),
    rejectTransferOffer: ({ params }, call) => rejectOffer(running(), walletOf(call), params.contract_id),
    withdrawTransferOffer: ({ params }, call) => withdrawOffer(running(), walletOf(call), params.contract_id),
    listAcceptedTransferOffers: async (_, call) => ({
      accepted_offers: await listContracts(running().store, AcceptedTransferOffer, {
        party: walletOf(call).party,
      }),
    }),
    createBuyTrafficRequest: async ({ body }, call) => ({
      request_contract_id: await createTrafficRequest(running(), walletOf(call), body),
    }),
    getBuyTrafficRequestStatus: ({ params }, call) =>
      getTrafficRequestStatus(running().history, walletOf(call), params.tracking_id),
    createTransferPreapproval: async (_, call) => ({
      transfer_preapproval_contract_id: await createPreapproval(running(), walletOf(call)),
    }),
    transferPreapprovalSend: ({ body }, call) => sendByPreapproval(running(), walletOf(call), body),
  } satisfies Partial<Served>;
}
