/** Delegations of minting to the caller. */
import {
  acceptDelegationProposal,
  listDelegationProposals,
  listDelegations,
  rejectDelegation,
  rejectDelegationProposal,
} from "../wallet/minting-delegations.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function mintingDelegationHandlers(running: () => Running) {
  return {
    listMintingDelegationProposals: async ({ query }, call) => {
      const { items, nextPageToken } = await listDelegationProposals(running(), walletOf(call), query);
      return { proposals: items, next_page_token: nextPageToken };
    },
    acceptMintingDelegationProposal: async ({ params }, call) => ({
      contract_id: await acceptDelegationProposal(running(), walletOf(call), params.contract_id),
    }),
    rejectMintingDelegationProposal: ({ params }, call) =>
      rejectDelegationProposal(running(), walletOf(call), params.contract_id),
    listMintingDelegations: async ({ query }, call) => {
      const { items, nextPageToken } = await listDelegations(running(), walletOf(call), query);
      return { delegations: items, next_page_token: nextPageToken };
    },
    rejectMintingDelegation: ({ params }, call) =>
      rejectDelegation(running(), walletOf(call), params.contract_id),
  } satisfies Partial<Served>;
}
