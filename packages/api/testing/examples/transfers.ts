import type { validatorApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, bob, contractId, dso, packageId, synchronizer, transferTerms, updateId } from "./samples.ts";

const byContract = { params: { contract_id: contractId("a") } };
const byTracking = { params: { tracking_id: "rent 2026/11" } };

function offerContract(entity: "TransferOffer" | "AcceptedTransferOffer") {
  return {
    template_id: `${packageId}:Splice.Wallet.TransferOffer:${entity}`,
    contract_id: contractId("a"),
    payload: {
      sender: alice,
      receiver: bob,
      dso,
      amount: { amount: "10.0", unit: "AmuletUnit" },
      expiresAt: "2026-12-01T00:00:00Z",
      trackingId: "rent 2026/11",
    },
    created_event_blob: "CgMyLjE=",
    created_at: "2026-11-01T01:56:28.974Z",
  };
}

type TransferIds =
  | `${"create" | "accept" | "reject" | "withdraw"}TransferOffer`
  | "listTransferOffers"
  | "listAcceptedTransferOffers"
  | "getTransferOfferStatus"
  | "createBuyTrafficRequest"
  | "getBuyTrafficRequestStatus"
  | "createTransferPreapproval"
  | "transferPreapprovalSend";

export const transferExamples: Pick<Examples<typeof validatorApi>, TransferIds> = {
  createTransferOffer: {
    request: { body: transferTerms },
    response: { offer_contract_id: contractId("a") },
  },
  listTransferOffers: { response: { offers: [offerContract("TransferOffer")] } },
  getTransferOfferStatus: {
    request: byTracking,
    response: { status: "failed", failure_kind: "withdrawn", withdrawn_reason: "Withdrawn by sender" },
  },
  acceptTransferOffer: { request: byContract, response: { accepted_offer_contract_id: contractId("b") } },
  rejectTransferOffer: { request: byContract, response: undefined },
  withdrawTransferOffer: { request: byContract, response: undefined },
  listAcceptedTransferOffers: { response: { accepted_offers: [offerContract("AcceptedTransferOffer")] } },
  createBuyTrafficRequest: {
    request: {
      body: {
        receiving_validator_party_id: bob,
        domain_id: synchronizer,
        traffic_amount: 200_000,
        tracking_id: "traffic 1",
        expires_at: 1_796_083_200_000_000,
      },
    },
    response: { request_contract_id: contractId("a") },
  },
  getBuyTrafficRequestStatus: {
    request: { params: { tracking_id: "traffic 1" } },
    response: { status: "completed", transaction_id: updateId },
  },
  createTransferPreapproval: { response: { transfer_preapproval_contract_id: contractId("a") } },
  transferPreapprovalSend: {
    request: { body: { receiver_party_id: bob, amount: "10.0", deduplication_id: "payment 1" } },
    received: {
      body: { receiver_party_id: bob, amount: "10.0", deduplication_id: "payment 1", description: null },
    },
    response: undefined,
  },
};
