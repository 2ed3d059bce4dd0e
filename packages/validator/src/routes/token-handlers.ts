/** Coin by the token standard: transfers, allocations, and requests for those. */
import { AmuletAllocation, AmuletTransferInstruction } from "@callsign/ledger";
import { listAllocationRequests, rejectAllocationRequest } from "../wallet/allocation-requests.ts";
import { allocateCoin, withdrawAllocation } from "../wallet/allocations.ts";
import { listContracts } from "../wallet/list-contracts.ts";
import { createTokenTransfer, endTokenTransfer } from "../wallet/token-transfers.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function tokenHandlers(running: () => Running) {
  return {
    createTokenStandardTransfer: ({ body }, call) => createTokenTransfer(running(), walletOf(call), body),
    listTokenStandardTransfers: async (_, call) => ({
      transfers: await listContracts(running().store, AmuletTransferInstruction, {
        party: walletOf(call).party,
      }),
    }),
    acceptTokenStandardTransfer: ({ params }, call) =>
      endTokenTransfer(running(), walletOf(call), "accept", params.contract_id),
    rejectTokenStandardTransfer: ({ params }, call) =>
      endTokenTransfer(running(), walletOf(call), "reject", params.contract_id),
    withdrawTokenStandardTransfer: ({ params }, call) =>
      endTokenTransfer(running(), walletOf(call), "withdraw", params.contract_id),
    listAmuletAllocations: async (_, call) => {
      const sought = { owner: walletOf(call).party };
      const contracts = await listContracts(running().store, AmuletAllocation, sought);
      return { allocations: contracts.map((contract) => ({ contract })) };
    },
    allocateAmulet: ({ body }, call) => allocateCoin(running(), walletOf(call), body),
    withdrawAmuletAllocation: ({ params }, call) =>
      withdrawAllocation(running(), walletOf(call), params.contract_id),
    listAllocationRequests: async (_, call) => {
      const contracts = await listAllocationRequests(running(), walletOf(call));
      return { allocation_requests: contracts.map((contract) => ({ contract })) };
    },
    rejectAllocationRequest: async ({ params }, call) => ({
      meta: await rejectAllocationRequest(running(), walletOf(call), params.contract_id),
    }),
  } satisfies Partial<Served>;
}
