import type { validatorApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, bob, contractId, dso, packageId, transferTerms } from "./samples.ts";

const byContract = { params: { contract_id: contractId("a") } };
const instrumentId = { admin: dso, id: "Amulet" };

function tokenContract(name: string, payload: Record<string, unknown>) {
  return {
    template_id: `${packageId}:Splice.${name}:${name}`,
    contract_id: contractId("a"),
    payload: { lockedAmulet: contractId("c"), ...payload } as never,
    created_event_blob: "CgMyLjE=",
    created_at: "2026-11-01T01:56:28.974Z",
  };
}

const leg = { sender: alice, receiver: bob, amount: "10.0", instrumentId, meta: { values: {} } };
const settlement = {
  executor: bob,
  settlement_ref: { id: "order 7", cid: contractId("d") },
  requested_at: 1_796_083_200_000_000,
  allocate_before: 1_796_083_300_000_000,
  settle_before: 1_796_083_400_000_000,
};

const pending = {
  output: { transfer_instruction_cid: contractId("a") },
  sender_change_cids: [contractId("b")],
  meta: { "splice.lfdecentralizedtrust.org/sender": alice },
};

type TokenIds =
  | `${"create" | "accept" | "reject" | "withdraw"}TokenStandardTransfer`
  | "listTokenStandardTransfers"
  | "listAmuletAllocations"
  | "allocateAmulet"
  | "withdrawAmuletAllocation"
  | "listAllocationRequests"
  | "rejectAllocationRequest";

export const tokenExamples: Pick<Examples<typeof validatorApi>, TokenIds> = {
  createTokenStandardTransfer: {
    request: { body: transferTerms },
    response: pending,
  },
  listTokenStandardTransfers: {
    response: { transfers: [tokenContract("AmuletTransferInstruction", { transfer: leg })] },
  },
  acceptTokenStandardTransfer: {
    request: byContract,
    response: {
      output: { receiver_holding_cids: [contractId("b")] },
      sender_change_cids: [],
      meta: { "splice.lfdecentralizedtrust.org/tx-kind": "transfer" },
    },
  },
  rejectTokenStandardTransfer: {
    request: byContract,
    response: { output: {}, sender_change_cids: [contractId("b")], meta: {} },
  },
  withdrawTokenStandardTransfer: {
    request: byContract,
    response: { output: {}, sender_change_cids: [contractId("b")], meta: {} },
  },
  listAmuletAllocations: {
    response: {
      allocations: [{ contract: tokenContract("AmuletAllocation", { allocation: { transferLeg: leg } }) }],
    },
  },
  allocateAmulet: {
    request: {
      body: { settlement, transfer_leg_id: "leg 0", transfer_leg: { receiver: bob, amount: "10.0" } },
    },
    received: {
      body: {
        settlement: { ...settlement, meta: null },
        transfer_leg_id: "leg 0",
        transfer_leg: { receiver: bob, amount: "10.0", meta: null },
      },
    },
    response: { output: { allocation_cid: contractId("a") }, sender_change_cids: [], meta: {} },
  },
  withdrawAmuletAllocation: {
    request: byContract,
    response: { sender_holding_cids: [contractId("b")], meta: {} },
  },
  listAllocationRequests: { response: { allocation_requests: [] } },
  rejectAllocationRequest: { request: byContract, response: { meta: {} } },
};
